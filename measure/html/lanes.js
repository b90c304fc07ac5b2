// SPDX-License-Identifier: BSD-3-Clause
// The lanes of one batch in time, on a canvas: an item of less than a pixel shades its column, so that many items stay quick to draw.

const columnsOf = (items) => {
  const start = list(items.start_ns), length = Math.min(start.length, list(items.duration_ns).length);
  return {start, length, took: list(items.duration_ns), at: (key, place) => list(items[key])[place]};
};

// Places of the items of one track in the order of their starts.
const track = (name, kind, columns, places) => {
  places.sort((a, b) => columns.start[a] - columns.start[b]);
  return {name, kind, columns, places};
};
const byKey = (columns, key) => {
  const groups = new Map();
  for (let place = 0; place < columns.length; place++) {
    const value = number(columns.at(key, place), -1);
    if (!groups.has(value)) groups.set(value, []);
    groups.get(value).push(place);
  }
  return [...groups].sort((a, b) => a[0] - b[0]);
};
// What overlaps goes on tracks of its own; beyond `most` of them the rest shares the last.
const withoutOverlap = (columns, most) => {
  const places = [...Array(columns.length).keys()].sort((a, b) => columns.start[a] - columns.start[b]), ends = [], groups = [];
  for (const place of places) {
    let free = ends.findIndex((end) => end <= columns.start[place]);
    if (free < 0) free = Math.min(ends.length, most - 1);
    if (!groups[free]) groups[free] = [];
    groups[free].push(place);
    ends[free] = Math.max(ends[free] || 0, columns.start[place] + columns.took[place]);
  }
  return groups;
};

const tracksOf = (batch, labels) => {
  const items = columnsOf(object(batch.items)), device = columnsOf(object(batch.device_items)), commands = columnsOf(object(batch.device_commands));
  commands.labels = labels;
  const lanes = byKey(items, 'lane'), used = new Map(lanes), tracks = [];
  const laneCount = Math.min(1024, Math.max(number(batch.lanes), lanes.length ? lanes[lanes.length - 1][0] + 1 : 0));
  for (let lane = 0; items.length > 0 && lane < laneCount; lane++) tracks.push(track('lane ' + lane, 'lane', items, used.get(lane) || []));
  withoutOverlap(device, 16).forEach((places) => tracks.push(track('device', 'device', device, places)));
  byKey(commands, 'stream').forEach(([stream, places]) => tracks.push(track(stream < 0 ? 'commands' : 'stream ' + stream, 'command', commands, places)));
  return {tracks, items};
};

// The item whose end is last, and the longest one.
const marksOf = (items) => {
  const marks = {critical: -1, longest: -1};
  let last = -Infinity, most = -Infinity;
  for (let place = 0; place < items.length; place++) {
    const took = items.took[place], end = items.start[place] + took;
    if (end > last) [last, marks.critical] = [end, place];
    if (took > most) [most, marks.longest] = [took, place];
  }
  return marks;
};

const itemText = (tr, place, marks) => {
  const {columns} = tr, index = columns.at(tr.kind === 'command' ? 'item' : 'index', place), name = tr.kind === 'command' ?
    printable(list(columns.labels)[columns.at('label', place)] || columns.at('kind', place) || 'command') + (isNumber(index) ? ' of item ' + index : '') : 'item ' + index;
  const status = columns.at('status', place), cost = columns.at('cost', place), marked = tr.kind !== 'lane' ? [] :
    [place === marks.critical ? 'critical: last to finish' : '', place === marks.longest ? 'longest' : ''].filter(Boolean);
  return [name + ', ' + tr.name + (marked.length ? ' (' + marked.join(', ') + ')' : ''), 'takes ' + duration(columns.took[place]),
    'starts at ' + duration(columns.start[place]), ...(isNumber(cost) ? ['cost estimate ' + digits(cost, 4)] : []),
    ...(isNumber(columns.at('busy_ns', place)) ? ['busy ' + duration(columns.at('busy_ns', place))] : []),
    ...(status !== undefined && status !== 'OK' && status !== 0 ? ['status ' + printable(status)] : [])].join('\n');
};

// The last place of the track that starts no later, -1 if none does.
const lastStarted = (tr, time) => {
  let low = 0, high = tr.places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tr.columns.start[tr.places[middle]] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
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

class LaneChart {
  constructor() {
    this.canvas = element('canvas', {tabindex: '0', role: 'img', id: 'lanes', 'aria-roledescription': 'timeline'});
    this.spot = element('p', {class: 'spot', role: 'status', id: 'lanes-spot'});
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.canvas.addEventListener('pointermove', (event) => this.point(event));
    this.canvas.addEventListener('pointerdown', (event) => this.grip(event));
    this.canvas.addEventListener('pointerup', (event) => this.drop(event));
    this.canvas.addEventListener('pointerleave', hideTip);
    this.canvas.addEventListener('blur', hideTip);
    this.canvas.addEventListener('dblclick', () => this.look(this.from, this.to));
    whenChanged(this.canvas, () => this.draw());
  }

  show(batch, labels) {
    const {tracks, items} = tracksOf(batch, labels);
    this.batch = batch;
    this.tracks = tracks;
    this.items = items;
    this.marks = marksOf(items);
    this.wall = number(batch.wall_ns);
    this.from = 0;
    this.to = Math.max(this.wall, 1);
    for (const {columns, places} of tracks) for (const place of places) {
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

  startOf({tr, place}) { return tr.columns.start[tr.places[place]]; }

  layout() {
    this.width = Math.max(240, this.canvas.parentElement.clientWidth);
    this.left = this.width < 500 ? 62 : 76;
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
    this.colours = Object.fromEntries(['ink', 'muted', 'line', 'time', 'critical', 'device', 'device-soft', 'idle', 'paper'].map((name) => [name, colour(name)]));
    this.drawAxis(context);
    const hatch = hatching(context, this.colours.idle);
    this.tracks.forEach((tr, row) => this.drawTrack(context, tr, this.top + row * this.row, hatch));
    if (this.now) {
      const {tr, place} = this.now, start = this.startOf(this.now), took = tr.columns.took[tr.places[place]];
      context.strokeStyle = this.colours.ink;
      context.lineWidth = 2;
      context.strokeRect(this.x(start) - 1, this.top + this.tracks.indexOf(tr) * this.row + 1, Math.max(2, this.x(start + took) - this.x(start)) + 2, this.row - 2);
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
      const text = value === 0 ? '0' : brief(value), half = context.measureText(text).width / 2;
      context.fillText(text, Math.max(this.left + half, Math.min(this.width - half - 1, x)), 9);
    }
  }

  drawTrack(context, tr, top, hatch) {
    const {left} = this, right = this.width - 10, height = this.row - 2, first = Math.max(left, this.x(0)), last = Math.min(right, this.x(this.wall));
    context.save();
    context.fillStyle = this.colours.muted;
    context.textAlign = 'right';
    if (this.row >= 12 || this.tracks.indexOf(tr) % Math.ceil(12 / this.row) === 0) context.fillText(tr.name, left - 8, top + this.row / 2);
    context.beginPath();
    context.rect(left, top, right - left, this.row);
    context.clip();
    if (tr.kind === 'lane' && last > first) {
      context.fillStyle = hatch;
      context.fillRect(first, top + 1, last - first, height);
    }
    this.drawItems(context, tr, top + 1, height);
    context.restore();
  }

  drawItems(context, tr, top, height) {
    const ink = this.colours[tr.kind === 'lane' ? 'time' : tr.kind === 'device' ? 'device' : 'device-soft'], cover = new Float32Array(Math.ceil(this.width) + 1);
    const wide = [], {start, took} = tr.columns, most = lastStarted(tr, this.most);
    for (let step = 0; step <= most; step++) {
      const place = tr.places[step], from = this.x(start[place]), to = this.x(start[place] + took[place]);
      if (to < this.left) continue;
      if (to - from >= 2) wide.push(place);
      else for (let column = Math.max(0, Math.floor(from)); column <= Math.min(this.width, Math.floor(to)); column++)
        cover[column] += Math.max(0.12, Math.min(to, column + 1) - Math.max(from, column));
    }
    for (let column = 0; column < cover.length; column++) {
      if (cover[column] === 0) continue;
      context.globalAlpha = 1;
      context.fillStyle = this.colours.paper;
      context.fillRect(column, top, 1, height);
      context.globalAlpha = Math.min(1, 0.25 + 0.75 * cover[column]);
      context.fillStyle = ink;
      context.fillRect(column, top, 1, height);
    }
    context.globalAlpha = 1;
    wide.forEach((place) => this.drawItem(context, tr, place, top, height, ink));
    if (tr.kind === 'lane') for (const place of [this.marks.longest, this.marks.critical])
      if (place >= 0 && number(tr.columns.at('lane', place), -1) === this.tracks.indexOf(tr)) this.drawItem(context, tr, place, top, height, ink);
  }

  drawItem(context, tr, place, top, height, ink) {
    const from = this.x(tr.columns.start[place]), to = this.x(tr.columns.start[place] + tr.columns.took[place]), width = Math.max(2, to - from - (to - from > 4 ? 1 : 0));
    const lane = tr.kind === 'lane', critical = lane && place === this.marks.critical, longest = lane && place === this.marks.longest;
    context.fillStyle = this.colours.paper;
    context.fillRect(from, top, Math.max(width, to - from), height);
    context.fillStyle = critical ? this.colours.critical : ink;
    context.fillRect(from, top, width, height);
    if (longest) {
      context.fillStyle = this.colours.ink;
      context.fillRect(from, top + height - 3, width, 3);
    }
    if (this.row < 14) return;
    const text = tr.kind === 'command' ? printable(list(tr.columns.labels)[tr.columns.at('label', place)] || '').slice(0, 40) : String(tr.columns.at('index', place));
    const seen = Math.min(from + width, this.width - 10) - Math.max(from, this.left), middle = Math.max(from, this.left) + seen / 2;
    context.textAlign = 'center';
    if (context.measureText(text).width + 8 < seen) {
      context.fillStyle = tr.kind === 'command' ? this.colours.ink : this.colours.paper;
      context.fillText(text, middle, top + height / 2);
    }
  }

  // The item under a point of the canvas, or the nearest within three pixels.
  find(x, y) {
    const tr = this.tracks[Math.floor((y - this.top) / this.row)];
    if (!tr || y < this.top || x < this.left) return null;
    const each = (this.most - this.least) / (this.width - 10 - this.left), time = this.least + (x - this.left) * each, at = lastStarted(tr, time);
    const away = (place) => {
      const start = tr.columns.start[tr.places[place]];
      return time < start ? start - time : Math.max(0, time - start - tr.columns.took[tr.places[place]]);
    };
    const near = [at, at + 1].filter((place) => place >= 0 && place < tr.places.length).sort((a, b) => away(a) - away(b))[0];
    return near !== undefined && away(near) <= 3 * each ? {tr, place: near} : null;
  }

  choose(found, tip) {
    this.now = found;
    this.draw();
    if (!found) {
      hideTip();
      return;
    }
    const text = itemText(found.tr, found.tr.places[found.place], this.marks), box = this.canvas.getBoundingClientRect();
    this.spot.textContent = text.replaceAll('\n', ', ');
    const start = this.startOf(found), end = start + found.tr.columns.took[found.tr.places[found.place]], middle = (Math.max(start, this.least) + Math.min(end, this.most)) / 2;
    showTip(text, box.left + (tip ? tip.x : this.x(middle)), box.top + this.top + this.tracks.indexOf(found.tr) * this.row, 4);
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left, found = this.find(x, event.clientY - box.top);
    if (found) this.choose(found, {x});
    else hideTip();
  }

  grip(event) { this.gripped = event.clientX; }

  drop(event) {
    const box = this.canvas.getBoundingClientRect(), each = (this.most - this.least) / (this.width - 10 - this.left);
    const [low, high] = [this.gripped, event.clientX].sort((a, b) => a - b).map((x) => this.least + Math.max(0, x - box.left - this.left) * each);
    if (Math.abs(event.clientX - this.gripped) > 8) this.look(low, high);
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

  goCritical() {
    const tr = this.tracks.find((one) => one.kind === 'lane' && one.places.includes(this.marks.critical));
    if (tr) this.go({tr, place: tr.places.indexOf(this.marks.critical)});
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = {
      ArrowRight: () => this.step(0, 1), ArrowLeft: () => this.step(0, -1), ArrowDown: () => this.step(1, 0), ArrowUp: () => this.step(-1, 0),
      Home: () => this.step(0, -Infinity), End: () => this.step(0, Infinity), c: () => this.goCritical(),
      '+': () => this.zoom(0.5), '=': () => this.zoom(0.5), '-': () => this.zoom(2), 0: () => this.look(this.from, this.to),
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
    return element('div', {class: 'controls'}, button('Critical item', () => this.goCritical()), button('Zoom in', () => this.zoom(0.5)),
      button('Zoom out', () => this.zoom(2)), button('Whole batch', () => this.look(this.from, this.to)));
  }
}
