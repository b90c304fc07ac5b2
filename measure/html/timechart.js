// SPDX-License-Identifier: BSD-3-Clause
// What ran when, on tracks, on a canvas: what takes less than a pixel shades its column, so that many stay quick to draw.

// The last place of the track that starts no later, -1 if none does.
const lastStarted = (tr, time) => {
  let low = 0, high = tr.places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tr.columns.start[tr.places[middle]] <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low - 1;
};

// The places in the order of their starts, as tracks have them.
const byStart = (columns, places) => {
  if (places.some((place, step) => step > 0 && columns.start[place] < columns.start[places[step - 1]]))
    places.sort((a, b) => columns.start[a] - columns.start[b]);
  return places;
};

const hatching = (context, ink) => {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const paint = tile.getContext('2d');
  paint.strokeStyle = ink;
  paint.lineWidth = 1.2;
  for (const shift of [-6, 0, 6]) {
    paint.beginPath();
    paint.moveTo(shift, 6);
    paint.lineTo(shift + 6, 0);
    paint.stroke();
  }
  return context.createPattern(tile, 'repeat');
};

// As much of a text as fits before what must stand after it.
const fitting = (context, text, room, after = '') => {
  if (context.measureText(text + after).width <= room) return text + after;
  let kept = Math.min(text.length, Math.ceil(room));  // no letter takes less than a pixel
  while (kept > 1 && context.measureText(text.slice(0, kept) + '\u2026' + after).width > room) kept--;
  return text.slice(0, kept) + '\u2026' + after;
};

const MARKED = 6;  // pixels: what is marked can be seen however short it is

// tracks: [{name, more: after the name, kind, columns: {start, took, length}, places}]; a form says how they look: ink, text,
// detail of a track's place, whether it is marked, which tracks are shaded where nothing runs; where names of tracks are long,
// the `margin` for them in pixels; where it has colours of its own, their `inks`; from when on nothing was kept: `lost`.
class TimeChart {
  constructor(id, form) {
    this.form = form;
    this.gripped = null;  // where a drag began
    this.canvas = element('canvas', {tabindex: '0', role: 'img', id, 'aria-roledescription': 'timeline'});
    this.spot = element('p', {class: 'spot', role: 'status', id: id + '-spot'});
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.canvas.addEventListener('pointermove', (event) => this.point(event));
    this.canvas.addEventListener('pointerdown', (event) => this.grip(event));
    this.canvas.addEventListener('pointerup', (event) => this.drop(event));
    this.canvas.addEventListener('pointerleave', hideTip);
    this.canvas.addEventListener('blur', hideTip);
    this.canvas.addEventListener('dblclick', () => this.look(this.from, this.to));
    whenChanged(this.canvas, () => this.draw());
  }

  // wall: to where what is idle is shaded, in ns; marked: places of items that are drawn over the others.
  show(tracks, wall, marked = []) {
    this.tracks = tracks;
    this.wall = wall;
    this.marked = marked;
    this.from = 0;
    this.to = Math.max(wall, 1);
    for (const {columns, places} of tracks)
      for (const place of places) {
        this.from = Math.min(this.from, columns.start[place]);
        this.to = Math.max(this.to, columns.start[place] + columns.took[place]);
      }
    this.now = null;
    this.spot.textContent = '';
    this.look(this.from, this.to);
  }

  look(from, to) {
    const span = Math.max(10, Math.min(this.to - this.from, to - from));
    this.least = Math.max(this.from, Math.min(this.to - span, from));
    this.most = this.least + span;
    this.draw();
  }

  zoom(factor) {
    const middle = this.now ? this.startOf(this.now) : (this.least + this.most) / 2, span = (this.most - this.least) * factor;
    this.look(middle - span / 2, middle + span / 2);
  }

  startOf({tr, place}) {
    return tr.columns.start[tr.places[place]];
  }

  layout() {
    this.width = Math.max(240, this.canvas.parentElement.clientWidth);
    this.left = this.form.margin ? this.form.margin(this.width) : this.width < 500 ? 62 : 76;
    this.row = Math.max(8, Math.min(28, Math.floor(560 / Math.max(1, this.tracks.length))));
    this.top = 24;
    this.height = this.top + this.tracks.length * this.row + 6;
    this.x = linearScale(this.least, this.most, this.left, this.width - 10);
    const scale = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.canvas.style.width = this.width + 'px';
    this.canvas.style.height = this.height + 'px';
    const context = this.canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.font = '12px system-ui, "DejaVu Sans", sans-serif';
    context.textBaseline = 'middle';
    return context;
  }

  draw() {
    if (!this.tracks || !this.canvas.isConnected) return;
    const context = this.layout();
    this.colours = Object.fromEntries([
      'ink', 'muted', 'line', 'time', 'time-soft', 'critical', 'device', 'device-soft', 'idle', 'paper'
    ].map((name) => [name, colour(name)]));
    if (this.form.inks) Object.assign(this.colours, this.form.inks());
    this.drawAxis(context);
    const hatch = hatching(context, this.colours.idle);
    this.tracks.forEach((tr, row) => this.drawTrack(context, tr, this.top + row * this.row, hatch));
    if (this.now) {
      const {tr, place} = this.now, start = this.startOf(this.now), took = tr.columns.took[tr.places[place]];
      context.strokeStyle = this.colours.ink;
      context.lineWidth = 2;
      context.strokeRect(
          this.x(start) - 1, this.top + this.tracks.indexOf(tr) * this.row + 1,
          Math.max(2, this.x(start + took) - this.x(start)) + 2, this.row - 2);
    }
  }

  drawAxis(context) {
    const {muted, line} = this.colours, last = this.width - 10;
    context.fillStyle = muted;
    context.textAlign = 'center';
    for (const value of ticks(this.least, this.most, (last - this.left) / 110)) {
      const x = this.x(value);
      context.fillStyle = line;
      context.fillRect(x, 18, 1, this.height - 18);
      context.fillStyle = muted;
      const text = brief(value), half = context.measureText(text).width / 2;
      context.fillText(text, Math.max(this.left + half, Math.min(this.width - half - 1, x)), 9);
    }
  }

  drawTrack(context, tr, top, hatch) {
    const {left} = this, right = this.width - 10, height = this.row - 2, first = Math.max(left, this.x(0)),
          last = Math.min(right, this.x(this.wall));
    context.save();
    context.fillStyle = this.colours.muted;
    context.textAlign = 'right';
    if (this.row >= 12 || this.tracks.indexOf(tr) % Math.ceil(12 / this.row) === 0)
      context.fillText(fitting(context, tr.name, left - 12, tr.more), left - 8, top + this.row / 2);
    context.beginPath();
    context.rect(left, top, right - left, this.row);
    context.clip();
    if (tr.shaded && last > first) {
      context.fillStyle = hatch;
      context.fillRect(first, top + 1, last - first, height);
    }
    this.drawLost(context, top + 1, height, hatch);
    this.drawItems(context, tr, top + 1, height);
    context.restore();
  }

  // Hatches what was not kept.
  drawLost(context, top, height, hatch) {
    const right = this.width - 10, from = Math.max(this.left, this.x(this.form.lost)), text = 'not kept';
    if (typeof this.form.lost !== 'number' || from >= right) return;
    context.fillStyle = hatch;
    context.fillRect(from, top, right - from, height);
    const half = context.measureText(text).width / 2 + 6;
    if (this.row < 14 || right - from < 2 * half) return;
    context.fillStyle = this.colours.paper;
    context.fillRect((from + right) / 2 - half, top, 2 * half, height);
    context.fillStyle = this.colours.muted;
    context.textAlign = 'center';
    context.fillText(text, (from + right) / 2, top + height / 2);
  }

  drawItems(context, tr, top, height) {
    const wide = [], covers = new Map(), {start, took} = tr.columns, most = lastStarted(tr, this.most);
    for (let step = 0; step <= most; step++) {
      const place = tr.places[step], from = this.x(start[place]), to = this.x(start[place] + took[place]);
      if (to < this.left) continue;
      if (to - from >= 2)
        wide.push(place);
      else
        this.cover(covers, this.form.look(tr, place).ink, from, to);
    }
    covers.forEach((cover, ink) => this.drawCover(context, cover, this.colours[ink], top, height));
    wide.forEach((place) => this.drawItem(context, tr, place, top, height));
    this.marked.filter((mark) => mark.tr === tr).forEach((mark) => {
      this.drawItem(context, tr, mark.place, top, height, MARKED);
      if (mark.pointed) this.drawPointer(context, tr, mark.place, top);
    });
  }

  // Adds what of each column of pixels an item takes.
  cover(covers, ink, from, to) {
    if (!covers.has(ink)) covers.set(ink, new Float32Array(Math.ceil(this.width) + 1));
    const cover = covers.get(ink);
    for (let column = Math.max(0, Math.floor(from)); column <= Math.min(this.width, Math.floor(to)); column++)
      cover[column] += Math.max(0.12, Math.min(to, column + 1) - Math.max(from, column));
  }

  drawCover(context, cover, ink, top, height) {
    for (let column = 0; column < cover.length; column++) {
      if (cover[column] === 0) continue;
      context.fillStyle = this.colours.paper;
      context.fillRect(column, top, 1, height);
      context.globalAlpha = Math.min(1, 0.25 + 0.75 * cover[column]);
      context.fillStyle = ink;
      context.fillRect(column, top, 1, height);
      context.globalAlpha = 1;
    }
  }

  // An arrow from above, for items that are too narrow to be seen.
  drawPointer(context, tr, place, top) {
    const start = tr.columns.start[place], from = this.x(start), to = this.x(start + tr.columns.took[place]);
    if (to - from > 14 || to < this.left || from > this.width - 10) return;
    const middle = Math.max(this.left + 6, Math.min(this.width - 16, (from + to) / 2));
    context.fillStyle = this.colours[this.form.look(tr, place).ink];
    context.strokeStyle = this.colours.paper;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(middle, top + 8);
    context.lineTo(middle - 5, top - 1);
    context.lineTo(middle + 5, top - 1);
    context.closePath();
    context.stroke();
    context.fill();
  }

  // At least so many pixels wide, all of them within the chart where the item is.
  drawItem(context, tr, place, top, height, least = 2) {
    const start = this.x(tr.columns.start[place]), to = this.x(tr.columns.start[place] + tr.columns.took[place]);
    const width = Math.max(least, to - start - (to - start > 4 ? 1 : 0)), look = this.form.look(tr, place);
    const last = this.width - 10, moved = width > to - start && to >= this.left && start <= last,
          from = moved ? Math.max(this.left, Math.min(start, last - width)) : start;
    context.fillStyle = this.colours.paper;
    context.fillRect(from, top, Math.max(width, to - from), height);
    context.fillStyle = this.colours[look.ink];
    context.fillRect(from, top, width, height);
    if (look.underlined) {
      context.fillStyle = this.colours.ink;
      context.fillRect(from, top + height - 3, width, 3);
    }
    if (this.row < 14) return;
    const left = Math.max(from, this.left), seen = Math.min(from + width, this.width - 10) - left,
          text = seen > 14 ? this.form.text(tr, place) : '';
    context.textAlign = 'center';
    if (text && context.measureText(text).width + 8 < seen) {
      context.fillStyle = this.colours[look.text];
      context.fillText(text, left + seen / 2, top + height / 2);
    }
  }

  // The item under a point of the canvas, or the nearest within three pixels.
  find(x, y) {
    const tr = this.tracks[Math.floor((y - this.top) / this.row)];
    if (!tr || y < this.top || x < this.left) return null;
    const each = (this.most - this.least) / (this.width - 10 - this.left), time = this.least + (x - this.left) * each,
          at = lastStarted(tr, time);
    const away = (place) => {
      const start = tr.columns.start[tr.places[place]];
      return time < start ? start - time : Math.max(0, time - start - tr.columns.took[tr.places[place]]);
    };
    const near = [at, at + 1].filter((place) => place >= 0 && place < tr.places.length).sort((a, b) => away(a) - away(b))[0];
    return near !== undefined && away(near) <= 3 * each ? {tr, place: near} : null;
  }

  // Shows what it is, at `x` or at its middle.
  choose(found, x) {
    this.now = found;
    this.draw();
    const text = this.form.detail(found.tr, found.tr.places[found.place]);
    const start = this.startOf(found), end = start + found.tr.columns.took[found.tr.places[found.place]];
    const middle = this.x((Math.max(start, this.least) + Math.min(end, this.most)) / 2);
    this.spot.textContent = text.replaceAll('\n', ', ');
    showTip(text, this.canvas, x === undefined ? middle : x, this.top + this.tracks.indexOf(found.tr) * this.row, 4);
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left,
          found = this.find(x, event.clientY - box.top);
    if (found)
      this.choose(found, x);
    else
      hideTip();
  }

  grip(event) {
    this.gripped = event.clientX;
    this.canvas.setPointerCapture(event.pointerId);  // a drag may end outside
  }

  drop(event) {
    if (this.gripped === null) return;
    const box = this.canvas.getBoundingClientRect(), each = (this.most - this.least) / (this.width - 10 - this.left);
    const [low, high] = [
      this.gripped, event.clientX
    ].sort((a, b) => a - b).map((x) => this.least + Math.max(0, x - box.left - this.left) * each);
    if (Math.abs(event.clientX - this.gripped) > 8)
      this.look(low, high);
    else if (this.form.take && this.now && this.find(event.clientX - box.left, event.clientY - box.top))
      this.form.take(this.now.tr, this.now.tr.places[this.now.place]);
    this.gripped = null;
  }

  step(rows, places) {
    const filled = this.tracks.filter((tr) => tr.places.length > 0);
    if (filled.length === 0) return;
    if (!this.now) {
      const tr = filled[0];
      this.go({tr, place: 0});
      return;
    }
    const row = Math.max(0, Math.min(filled.length - 1, filled.indexOf(this.now.tr) + rows)), tr = filled[row];
    const place = rows === 0 ? this.now.place + places : Math.max(0, lastStarted(tr, this.startOf(this.now)));
    this.go({tr, place: Math.max(0, Math.min(tr.places.length - 1, place))});
  }

  go(found) {
    const start = found.tr.columns.start[found.tr.places[found.place]], span = this.most - this.least;
    if (start < this.least || start > this.most) this.look(start - span / 2, start + span / 2);
    this.choose(found);
  }

  // To one of the marked.
  goTo(mark) {
    if (mark) this.go({tr: mark.tr, place: mark.tr.places.indexOf(mark.place)});
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = {
      ArrowRight: () => this.step(0, 1),
      ArrowLeft: () => this.step(0, -1),
      ArrowDown: () => this.step(1, 0),
      ArrowUp: () => this.step(-1, 0),
      Home: () => this.step(0, -Infinity),
      End: () => this.step(0, Infinity),
      c: () => this.goTo(this.marked[0]),
      Enter: () => this.now && this.form.take && this.form.take(this.now.tr, this.now.tr.places[this.now.place]),
      '+': () => this.zoom(0.5),
      '=': () => this.zoom(0.5),
      '-': () => this.zoom(2),
      0: () => this.look(this.from, this.to),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  controls() {
    const button = (text, act) => {
      const node = element('button', {type: 'button', text});
      node.addEventListener('click', act);
      return node;
    };
    return element(
        'div', {class: 'controls'}, this.form.marks ? button(this.form.marks, () => this.goTo(this.marked[0])) : null,
        button('Zoom in', () => this.zoom(0.5)), button('Zoom out', () => this.zoom(2)),
        button('All of it', () => this.look(this.from, this.to)));
  }
}
