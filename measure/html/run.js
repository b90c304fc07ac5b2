// SPDX-License-Identifier: BSD-3-Clause
// The whole run in time: phases within phases, batches among them.

const depthsOf = (record) => {
  const parents = new Map(objects(record.events).map((event) => [event.name, event.parent]));
  return (name) => {
    let depth = 0;
    for (let above = parents.get(name); typeof above === 'string' && depth < 64; above = parents.get(above)) depth++;
    return depth;
  };
};

// The numbers of the events on a track, that with the most time first.
const longestFirst = (columns, places) => {
  const totals = new Map();
  for (const place of places) totals.set(columns.event[place], number(totals.get(columns.event[place])) + columns.took[place]);
  return [...totals].sort((a, b) => b[1] - a[1]).map(([event]) => event);
};

const runTracks = (record) => {
  const timeline = object(record.timeline), names = list(record.events_all).map((name) => cut(name, LONGEST_TIP)),
        columns = columnsOf({start_ns: timeline.begin_ns, duration_ns: timeline.duration_ns});
  columns.event = list(timeline.event).map((event) => number(event, -1));
  columns.length = Math.min(columns.event.length, columns.length);
  columns.name = (place) => printable(names[columns.event[place]]);
  const depths = list(record.events_all).map(depthsOf(record)), byDepth = new Map();
  for (let place = 0; place < columns.length; place++) {
    const depth = number(depths[columns.event[place]]);
    if (!byDepth.has(depth)) byDepth.set(depth, []);
    byDepth.get(depth).push(place);
  }
  return [...byDepth].sort((a, b) => a[0] - b[0]).map(([depth, places]) => {
    const events = longestFirst(columns, places);
    return {
      name: printable(names[events[0]]),
      more: events.length > 1 ? ' +' + (events.length - 1) : '',
      events,
      columns,
      places: byStart(columns, places),
      shaded: false
    };
  });
};

// Which events get which of the few hues: those with the most time among the ones that share their track. What has a track
// alone needs none. {of: a map from the number of an event to a colour's name, shown: [[number, colour]], others: events
// without a hue}
const HUES = 8;
const huesOf = (record, tracks) => {
  const names = list(record.events_all),
        totals = new Map(objects(record.events).map((event) => [event.name, number(event.total_ns)])),
        total = (event) => number(totals.get(names[event]));
  const alone = tracks.filter((tr) => tr.events.length === 1).map((tr) => tr.events[0]),
        ranked = tracks.filter((tr) => tr.events.length > 1).flatMap((tr) => tr.events).sort((a, b) => total(b) - total(a));
  const shown = ranked.slice(0, HUES).map((event, hue) => [event, 'hue-' + hue]), others = ranked.slice(HUES);
  return {
    of: new Map([...alone.map((event) => [event, 'hue-alone']), ...shown, ...others.map((event) => [event, 'hue-other'])]),
    shown,
    others
  };
};

// Letters on a colour, #rrggbb.
const lettersOn = (ink) => {
  const part = (place) => (parseInt(ink.slice(place, place + 2), 16) / 255) ** 2.2;
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) > 0.18 ? '#000000' : '#ffffff';
};
const hueInks = () => {
  const names = [...Array(HUES).keys(), 'other', 'alone'].map((hue) => 'hue-' + hue);
  return Object.fromEntries(names.flatMap((name) => [[name, colour(name)], ['on-' + name, lettersOn(colour(name))]]));
};

const runLegend = (record, hues) => {
  const names = list(record.events_all), entry = (hue, ...text) => element('li', {}, swatchOf(hue), ...text);
  return element(
      'ul', {class: 'legend', 'aria-label': 'Colours of the events'},
      hues.shown.map(([event, hue]) => entry(hue, label(names[event], LONGEST_NAME))),
      hues.others.length === 0 ?
          null :
          entry(
              'hue-other',
              hues.others.length === 1 ?
                  label(names[hues.others[0]], LONGEST_NAME) :
                  explained(
                      plural(hues.others.length, 'other event'),
                      cut(hues.others.map((event) => printable(names[event])).join(', '), LONGEST_TIP))));
};

// From when on nothing was kept: entries are kept in the order of their begin, up to a limit. {from, span: in ns, kept,
// missing}, null if all were. What is missing may be outermost, too: the run ends no earlier than all of these take.
const lostOf = (record, tracks) => {
  const missing = number(record.timeline_dropped);
  if (!(missing > 0) || tracks.length === 0) return null;
  const {columns} = tracks[0], begins = columns.start.slice(0, columns.length);
  const ends = begins.map((begin, place) => begin + columns.took[place]);
  const outermost = sum(roots(record).map((event) => number(event.total_ns)));
  return {from: largest(begins), span: Math.max(largest(ends), smallest(begins) + outermost), kept: columns.length, missing};
};
const lostText = ({from, span, kept, missing}) =>
    `Not all is shown: the timeline kept ${kept} of ${kept + missing} phases and ` +
    `batches. What began from ${duration(from)} on, the last ${share(span - from, span)} of the run, is in the sums alone. ` +
    'The option --detail-limit=N of the run raises that limit, in a program of your own timeline_limit of the recorder.';

// The numbers of the batches by event and begin.
const batchNumbers = (record) => new Map(readBatches(record).map((row) => [row.event + ' ' + row.begin, row.number]));

const runSection = (record) => {
  const tracks = runTracks(record), batches = batchNumbers(record), hues = huesOf(record, tracks),
        lost = lostOf(record, tracks);
  const numberOf = (tr, place) => batches.get(tr.columns.name(place) + ' ' + tr.columns.start[place]);
  const chart = new TimeChart('run-timeline', {
    text: (tr, place) => cut(tr.columns.name(place), LONGEST_NAME),
    detail:
        (tr, place) => [tr.columns.name(place) + (numberOf(tr, place) === undefined ? '' : ', batch ' + numberOf(tr, place)),
                        'takes ' + duration(tr.columns.took[place]), 'begins at ' + duration(tr.columns.start[place])]
                           .join('\n'),
    look: (tr, place) => {
      const hue = hues.of.get(tr.columns.event[place]);
      return {ink: hue, text: 'on-' + hue};
    },
    inks: hueInks,
    lost: lost && lost.from,
    margin: (width) => (width < 500 ? 96 : 160),
    take: (tr, place) => chooseBatch(numberOf(tr, place)),
  });
  const frame = element('figure', {}, chart.controls(), chart.canvas, runLegend(record, hues), chart.spot);
  chart.canvas.setAttribute(
      'aria-label',
      'Timeline of the run: ' + plural(list(record.timeline.event).length, 'phase or batch', 'phases and batches') +
          ', each below what contains it. Arrow keys go from one to the next and from depth to depth, ' +
          'plus and minus zoom, 0 shows all, Enter chooses a batch.');
  afterwards.push(() => chart.show(tracks, lost ? lost.span : 1));
  return [
    lost ? element('p', {class: 'note', text: lostText(lost)}) : null, element('p', {
      class: 'muted',
      text: 'Each phase and batch stands below what contains it; a row is named after the event with the most time in it. ' +
          'A click, or Enter, on a batch chooses it below. Arrow keys go from one to the next, + and - zoom.'
    }),
    frame
  ];
};
