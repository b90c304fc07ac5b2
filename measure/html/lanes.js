// SPDX-License-Identifier: BSD-3-Clause
// The lanes of one batch in time, and what the device did of it, as tracks of a chart.

const columnsOf = (items) => {
  const start = numbers(items.start_ns), took = numbers(items.duration_ns);
  return {start, took, length: Math.min(start.length, took.length), at: (key, place) => list(items[key])[place]};
};

const INKS = {
  lane: 'time',
  device: 'device',
  command: 'device-soft'
};
const track = (name, kind, columns, places) =>
    ({name, kind, columns, places: byStart(columns, places), ink: INKS[kind], shaded: kind === 'lane'});
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
  const places = byStart(columns, [...Array(columns.length).keys()]), ends = [], groups = [];
  for (const place of places) {
    let free = ends.findIndex((end) => end <= columns.start[place]);
    if (free < 0) free = Math.min(ends.length, most - 1);
    if (!groups[free]) groups[free] = [];
    groups[free].push(place);
    ends[free] = Math.max(ends[free] || 0, columns.start[place] + columns.took[place]);
  }
  return groups;
};

const TRACKS = 1024;  // at most: a canvas has an end
const tracksOf = (batch, labels) => {
  const items = columnsOf(object(batch.items)), device = columnsOf(object(batch.device_items)),
        commands = columnsOf(object(batch.device_commands));
  commands.labels = labels;
  const lanes = byKey(items, 'lane'), used = new Map(lanes), tracks = [];
  const laneCount = Math.min(TRACKS, Math.max(number(batch.lanes), lanes.length ? lanes[lanes.length - 1][0] + 1 : 0));
  for (let lane = 0; items.length > 0 && lane < laneCount; lane++)
    tracks.push({...track('lane ' + lane, 'lane', items, used.get(lane) || []), lane});
  withoutOverlap(device, 16).forEach((places) => tracks.push(track('device', 'device', device, places)));
  byKey(commands, 'stream')
      .forEach(
          ([stream, places]) => tracks.push(track(stream < 0 ? 'commands' : 'stream ' + stream, 'command', commands, places)));
  return {tracks: tracks.slice(0, TRACKS), items};
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

const commandName = (columns, place) =>
    cut(columns.labels[number(columns.at('label', place), -1)] || columns.at('kind', place) || 'command', LONGEST_TIP);
const itemText = (tr, place, marks) => {
  const {columns} = tr, command = tr.kind === 'command', index = columns.at(command ? 'item' : 'index', place);
  const name =
      command ? commandName(columns, place) + (isNumber(index) ? ' of item ' + index : '') : 'item ' + printable(index);
  const status = columns.at('status', place), cost = columns.at('cost', place),
        marked = tr.kind !== 'lane' ?
      [] :
      [place === marks.critical ? 'critical: last to finish' : '', place === marks.longest ? 'longest' : ''].filter(Boolean);
  return [
    name + ', ' + tr.name + (marked.length ? ' (' + marked.join(', ') + ')' : ''), 'takes ' + duration(columns.took[place]),
    'starts at ' + duration(columns.start[place]), ...(isNumber(cost) ? ['cost estimate ' + digits(cost, 4)] : []),
    ...(isNumber(columns.at('busy_ns', place)) ? ['busy ' + duration(columns.at('busy_ns', place))] : []),
    ...(status !== undefined && status !== 'OK' && status !== 0 ? ['status ' + cut(status, LONGEST_NAME)] : [])
  ].join('\n');
};

const laneForm = (marks) => ({
  marks: 'Critical item',
  text: (tr, place) =>
      cut(tr.kind === 'command' ? commandName(tr.columns, place) : tr.columns.at('index', place), LONGEST_NAME),
  detail: (tr, place) => itemText(tr, place, marks()),
  look: (tr, place) => ({
    ink: tr.kind === 'lane' && place === marks().critical ? 'critical' : tr.ink,
    underlined: tr.kind === 'lane' && place === marks().longest,
    text: tr.kind === 'command' ? 'ink' : 'paper'
  }),
});
// The critical item first.
const markedItems = (tracks, items, marks) => {
  const places = [marks.critical, marks.longest].filter((place) => place >= 0);
  const trackOf = (place) => tracks.find((tr) => tr.kind === 'lane' && tr.lane === items.at('lane', place));
  return places.map((place) => ({tr: trackOf(place), place, pointed: place === marks.critical})).filter(({tr}) => tr);
};
