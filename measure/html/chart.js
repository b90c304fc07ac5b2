// SPDX-License-Identifier: BSD-3-Clause
// Scales, ticks and the frame of a chart in SVG.

// About `wanted` round values from `least` to `most`.
const ticks = (least, most, wanted) => {
  const raw = (most - least) / Math.max(1, wanted);
  if (!(raw > 0)) return [least];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999));
  // Counted from the first: far from 0 the next whole number may be the same one.
  const first = Math.ceil(least / step - 1e-9), found = [];
  for (let place = 0; place <= 2 * wanted + 10 && (first + place) * step <= most + 1e-9 * step; place++)
    found.push((first + place) * step);
  return found;
};
// The end of an axis from 0 that holds a value, at a tick.
const niceTop = (most) => {
  const [first, second] = ticks(0, most || 1, 4);
  return Math.ceil(most / (second - first) - 1e-9) * (second - first) || 1;
};
// Powers of ten, and 2 and 5 between them where there is room.
const logTicks = (least, most) => {
  const decades = Math.log10(most / least), factors = decades > 3 ? [1] : decades > 1.2 ? [1, 3] : [1, 2, 5], found = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power++)
    for (const factor of factors)
      if (factor * 10 ** power >= least * 0.999 && factor * 10 ** power <= most * 1.001) found.push(factor * 10 ** power);
  return decades > 6 ? found.filter((value, place) => place % 2 === 0) : found;
};
const linearScale = (least, most, from, to) => (value) =>
    from + (to - from) * (most > least ? (value - least) / (most - least) : 0.5);
const logScale = (least, most, from, to) => {
  const line = linearScale(Math.log(least), Math.log(most), from, to);
  return (value) => line(Math.log(value));
};

// As wide as its place where `beside` charts share the page, as many of them a row as are wide enough to be read: a picture
// that the page makes smaller would have smaller letters.
const LEAST_CHART = 300, BESIDE_GAP = 32;  // pixels, as in the style sheet
const chartSize = (beside, height, top = 26) => {
  const page = document.documentElement.clientWidth, whole = Math.min(page, 1280) - (page <= 832 ? 26 : 40);
  const row = Math.max(1, Math.min(beside, Math.floor((whole + BESIDE_GAP) / (LEAST_CHART + BESIDE_GAP))));
  return {
    width: Math.floor((whole - (row - 1) * BESIDE_GAP) / row),
    height: height + top - 26,
    left: 56,
    right: 14,
    top,
    bottom: 40
  };
};
const LETTER = 7;  // pixels, about what one takes
// An SVG with both axes. x, y: {ticks, at: scale, show: text, title}.
const chartFrame = (alternative, x, y, size) => {
  const {width, height, left, right, top, bottom} = size, floor = height - bottom;
  const chart = shape(
      'svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': alternative, style: 'height: auto'});
  const line = (x1, y1, x2, y2) => chart.append(shape('line', {class: 'axis', x1, y1, x2, y2}));
  y.ticks.forEach((value) => {
    line(left, y.at(value), width - right, y.at(value));
    chart.append(shape('text', {x: left - 6, y: y.at(value) + 4, 'text-anchor': 'end', text: y.show(value)}));
  });
  x.ticks.forEach((value) => {
    line(x.at(value), floor, x.at(value), floor + 4);
    const text = x.show(value), half = LETTER * text.length / 2;
    const at = Math.max(half, Math.min(width - half, x.at(value)));
    chart.append(shape('text', {x: at, y: floor + 17, 'text-anchor': 'middle', text}));
  });
  line(left, floor, width - right, floor);
  chart.append(
      shape('text', {x: (left + width - right) / 2, y: height - 6, 'text-anchor': 'middle', text: x.title}),
      shape('text', {x: 4, y: 13, text: y.title}));
  return chart;
};
const figure = (caption, ...children) => element('figure', {}, ...children, element('figcaption', {text: caption}));
