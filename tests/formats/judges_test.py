#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Python's own zlib and XML parser, and NumPy where it is installed, judge what is written: judges_test.py CONVERT"""
import base64
import os
import random
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
import zlib

from tap import Points

try:
    import numpy
except ImportError:
    numpy = None

SVG = "{http://www.w3.org/2000/svg}"


def run(program, *arguments, data=None):
    return subprocess.run([program, *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def check_deflate(points, program, compressed):
    """Streams of many kinds come back through zlib; those with repetitions become shorter where they are compressed."""
    seed = random.randrange(1 << 32)
    print("# seed {}".format(seed))
    source = random.Random(seed)
    noise = bytes(source.randrange(256) for _ in range(100000))
    inputs = {
        "nothing": b"", "one byte": b"a", "two bytes": b"ab", "every byte": bytes(range(256)) * 3, "noise": noise,
        "zeros": bytes(1000000), "a far repetition": noise[:32700] + noise[:5000], "beyond the window": noise[:32768] * 2,
        "text": b"".join(b"%d," % (i * i) for i in range(20000)),
        "lengths": b"".join(bytes([i % 256, i // 256]) + b"x" * i for i in range(1, 600)),
        "pieces": b"".join(noise[k:k + source.randrange(2, 300)] for k in (source.randrange(40000) for _ in range(2000))),
    }
    for name, data in inputs.items():
        result = run(program, "deflate", data=data)
        points.add(result.returncode == 0 and zlib.decompress(result.stdout) == data, "zlib reads " + name)
    length = len(run(program, "deflate", data=inputs["zeros"]).stdout)
    points.add((length < 10000) == compressed, "repetitions become short" if compressed else "repetitions are stored")


def png_rows(data):
    """Palette and rows of indices, by the PNG specification; a wrong checksum raises."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
        chunks[kind] = body
        at += 12 + size
    width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, color, interlaced) == (8, 3, 0) and b"IEND" in chunks and len(chunks[b"PLTE"]) == 768
    plain = zlib.decompress(chunks[b"IDAT"])
    assert len(plain) == (width + 1) * height
    rows = [plain[y * (width + 1):(y + 1) * (width + 1)] for y in range(height)]
    assert all(row[0] == 0 for row in rows)
    return chunks[b"PLTE"], [row[1:] for row in rows]


def check_plot(points, program, folder):
    path = os.path.join(folder, "plot.svg")
    result = run(program, "plot", path)
    points.add(result.returncode == 0, "a plot is written", result.stderr.decode())
    root = tree.parse(path).getroot()
    points.add(root.tag == SVG + "svg", "it is well-formed SVG")
    image = root.find(SVG + "image")
    _, rows = png_rows(base64.b64decode(image.get("href").split(",", 1)[1], validate=True))
    least, most = 0.05 + 10 * 0.05, 3.95 + 10 * 1.95
    expected = [[((0.05 + 0.1 * x) + 10 * (1.95 - 0.1 * y) - least) / (most - least) * 255 for x in range(40)] for y in range(20)]
    wrong = [(x, y) for y in range(20) for x in range(40) if abs(rows[y][x] - expected[y][x]) > 0.500001]
    points.add(len(rows) == 20 and len(rows[0]) == 40 and not wrong, "every pixel has its color", str(wrong[:5]))
    points.add(root.findtext(SVG + "text") == "x + 10y", "the title is text")


def check_numpy(points, program, folder):
    """Arrays of NumPy of every kind that is read; what is written here, NumPy reads as the same array."""
    source = os.path.join(folder, "in.npy")
    target = os.path.join(folder, "out.npy")
    for shape in ((5,), (1,), (4, 3), (1, 7), (2, 3, 4), (17, 1, 5)):
        for kind in ("<f8", ">f8", "<f4", ">f4"):
            for order in "CF":
                for version in ((1, 0), (2, 0), (3, 0)):
                    array = numpy.asarray(numpy.random.default_rng(7).normal(size=shape), dtype=kind, order=order)
                    with open(source, "wb") as file:
                        numpy.lib.format.write_array(file, array, version=version)
                    result = run(program, "npy", str(len(shape)), source, target)
                    good = result.returncode == 0
                    if good:
                        back = numpy.load(target)
                        good = back.dtype == numpy.dtype("<f8") and back.shape == shape and (back == array.astype("<f8")).all()
                    name = "NumPy agrees on {} {} {} {}".format(shape, kind, order, version[0])
                    points.add(good, name, result.stderr.decode())


def main():
    program = sys.argv[1]
    points = Points()
    with tempfile.TemporaryDirectory() as folder:
        check_deflate(points, program, sys.argv[3] == "true")
        check_deflate(points, sys.argv[2], False)
        check_plot(points, program, folder)
        check_plot(points, sys.argv[2], folder)
        if numpy:
            check_numpy(points, program, folder)
        else:
            points.add(True, "NumPy agrees # SKIP python3-numpy is not installed")
    points.finish()


if __name__ == "__main__":
    main()
