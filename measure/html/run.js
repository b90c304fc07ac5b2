// SPDX-License-Identifier: BSD-3-Clause
// The whole run in time: phases within phases, batches among them.

const depthsOf = (record) => {
  const parents = new Map(list(record.events).map((event) => [event.name, event.parent]));
  return (name) => {
    let depth = 0;
    for (let above = parents.get(name); typeof above === 'string' && depth < 64; above = parents.get(above)) depth++;
    return depth;
  };
};

const runTracks = (record) => {
  const timeline = object(record.timeline), names = list(record.events_all), numbers = list(timeline.event),
        columns = {start: list(timeline.begin_ns), took: list(timeline.duration_ns)};
  columns.length = Math.min(numbers.length, columns.start.length, columns.took.length);
  columns.name = (place) => printable(names[numbers[place]]);
  const depthOf = depthsOf(record), depths = names.map(depthOf), byDepth = new Map();
  for (let place = 0; place < columns.length; place++) {
    const depth = number(depths[numbers[place]]);
    if (!byDepth.has(depth)) byDepth.set(depth, []);
    byDepth.get(depth).push(place);
  }
  const inner = new Set(list(record.events).map((event) => event.parent));
  columns.inner = names.map((name) => inner.has(name));
  columns.isInner = (place) => columns.inner[numbers[place]];
  return [...byDepth].sort((a, b) => a[0] - b[0]).map(([depth,
                                                        places]) => ({name: 'depth ' + depth, columns, places, shaded: false}));
};

// The numbers of the batches by event and begin.
const batchNumbers = (record) => new Map(readBatches(record).map((row) => [row.event + ' ' + row.begin, row.number]));

const runSection = (record) => {
  const tracks = runTracks(record), numbers = batchNumbers(record);
  const numberOf = (tr, place) => numbers.get(tr.columns.name(place) + ' ' + tr.columns.start[place]);
  const chart = new TimeChart('run-timeline', {
    text: (tr, place) => tr.columns.name(place).slice(0, 40),
    detail:
        (tr, place) => [tr.columns.name(place) + (numberOf(tr, place) === undefined ? '' : ', batch ' + numberOf(tr, place)),
                        'takes ' + duration(tr.columns.took[place]), 'begins at ' + duration(tr.columns.start[place])]
                           .join('\n'),
    look: (tr, place) => (tr.columns.isInner(place) ? {ink: 'time-soft', text: 'ink'} : {ink: 'time', text: 'paper'}),
    take: (tr, place) => chooseBatch(numberOf(tr, place)),
  });
  const frame = element('figure', {}, chart.controls(), chart.canvas, chart.spot);
  chart.canvas.setAttribute(
      'aria-label',
      'Timeline of the run: ' + plural(list(record.timeline.event).length, 'phase or batch', 'phases and batches') +
          ', each below what contains it. Arrow keys go from one to the next and from depth to depth, ' +
          'plus and minus zoom, 0 shows all, Enter chooses a batch.');
  afterwards.push(() => chart.show(tracks, 1));
  return [
    element('p', {
      class: 'muted',
      text: 'Each phase and batch stands below what contains it; a click, or Enter, on a batch chooses it below. ' +
          'Arrow keys go from one to the next, + and - zoom.'
    }),
    frame
  ];
};
