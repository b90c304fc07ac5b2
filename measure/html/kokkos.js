// SPDX-License-Identifier: BSD-3-Clause
// A record of the Kokkos module: kernels, fences, copies between spaces, memory, regions, steps.

const callsOf = (rows) => {
  const all = list(rows).map(object);
  return {calls: sum(all.map((row) => number(row.count))), ns: sum(all.map((row) => number(row.total_ns)))};
};
const metadataOf = (run) => list(object(run.kokkos).metadata).map((pair) => [printable(object(pair).key), object(pair).value]);
// Kokkos names its default device as the compiler does: N6Kokkos6SerialE.
const plainType = (name) => {
  const found = /^N(?:\d+[A-Za-z_]+?)*?\d+([A-Za-z_]+)E$/.exec(printable(name));
  return found ? found[1] : printable(name);
};
const toolText =
    (run) => ['tool', 'tool_version'].map((key) => run[key]).filter((one) => typeof one === 'string').map(printable).join(' ');

const kokkosTiles = (record) => {
  const run = object(record.run), kernels = callsOf(record.kernels), fences = callsOf(record.fences),
        copies = callsOf(record.copies), known = new Map(metadataOf(run)), wall = run.wall_ns,
        device = known.get('Default Device'),
        most = largest(list(record.spaces).map((space) => number(space.high_water_bytes)));
  const timed = ({calls, ns}) => duration(ns) + (isNumber(wall) ? ', ' + share(ns, wall) : '');
  const tile = (name, all, why) => (all.calls > 0 ? [name, count(all.calls), why, timed(all)] : null);
  return [
    isNumber(wall) ? ['time of the run', duration(wall), 'From the start of the tool to its report.'] : null,
    tile(
        'launches', kernels,
        'Kernels, with their time' + (isNumber(wall) ? ' and its share of the run; threads add up.' : '.')),
    isNumber(run.outside_kernels_ns) ?
        [
          'outside of kernels', duration(run.outside_kernels_ns), 'Time of the run in which no kernel ran or was sent.',
          share(run.outside_kernels_ns, wall)
        ] :
        null,
    tile('fences', fences),
    tile('copies', copies),
    most > 0 ? ['memory', bytes(most), 'The highest mark of a space.'] : null,
    isNumber(run.threads) ? ['threads', count(run.threads), 'Threads that called Kokkos.'] : null,
    known.has('Kokkos Version') ?
        ['Kokkos', known.get('Kokkos Version'), '', device === undefined ? '' : 'on ' + plainType(device)] :
        null,
    number(record.dropped) > 0 ? ['records dropped', count(record.dropped)] : null,
  ];
};
const wordsOf = (members) => Object.entries(members)
                                 .filter(([, value]) => value !== null)
                                 .map(([key, value]) => key.replaceAll('_', ' ') + ' ' + measure(key, value))
                                 .join(', ');
const kokkosFacts = (run) => {
  const {metadata: _, ...kokkos} = object(run.kokkos);
  return [
    ['measured by', toolText(run)], ['Kokkos', Object.keys(kokkos).length ? wordsOf(kokkos) : null],
    ['fencing', run.fencing ? wordsOf(object(run.fencing)) : null]
  ];
};
const kokkosMetadata = (run) => {
  const pairs = metadataOf(run);
  return pairs.length ? [details('What Kokkos says of how it was built (' + pairs.length + ')', facts(pairs))] : [];
};

const instanceOf = (row) => printable(row.device) + (number(row.device_number) > 0 ? ' ' + row.device_number : '') +
    (typeof row.scope === 'string'  ? ' / ' + printable(row.scope) :
         row.instance === undefined ? '' :
                                      ' / ' + printable(row.instance));
const kernelTable = (title, calls, kind, wall) => {
  const rows = sorted(list(calls).map(object), (row) => row.total_ns, -1),
        most = largest(rows.map((row) => number(row.total_ns))), whole = sum(rows.map((row) => number(row.total_ns)));
  const own = rows.some((row) => isNumber(row.exclusive_ns));
  return dataTable(
      title,
      [
        {title: 'label', name: true, value: (row) => row.name},
        ...(kind ? [{title: 'kind', value: (row) => row.kind}] : []),
        {title: 'device / instance', value: instanceOf},
        {title: 'count', value: (row) => row.count, show: count},
        {title: 'total', value: (row) => row.total_ns, show: duration},
        {title: '', bars: (row) => [{part: most > 0 ? number(row.total_ns) / most : 0}]},
        {title: kind ? 'of kernels' : 'of fences', value: (row) => row.total_ns, show: (value) => share(value, whole)},
        ...(isNumber(wall) ? [{title: 'of the run', value: (row) => row.total_ns, show: (value) => share(value, wall)}] : []),
        ...(own ? [{title: 'own', why: 'Without what ran inside.', value: (row) => row.exclusive_ns, show: duration}] : []),
        {title: 'mean', value: (row) => row.mean_ns, show: duration},
        {title: 'min', value: (row) => row.min_ns, show: duration},
        {title: 'max', value: (row) => row.max_ns, show: duration},
        ...(rows.some((row) => row.tool) ? [{title: 'by', value: (row) => (row.tool ? 'tool layer' : 'program')}] : []),
      ],
      rows, {caption: false});
};

// From the rows to the columns: the fuller a cell the more bytes.
const copyMatrix = (copies) => {
  const rows = [...new Set(copies.map((copy) => printable(copy.from)))],
        columns = [...new Set(copies.map((copy) => printable(copy.to)))],
        most = largest(copies.map((copy) => number(copy.bytes)));
  const cell = (from, to) => {
    const all = copies.filter((copy) => printable(copy.from) === from && printable(copy.to) === to),
          moved = sum(all.map((copy) => number(copy.bytes)));
    const bar = element('span', {class: 'bar device'});
    bar.style.setProperty('--part', most > 0 ? moved / most : 0);
    return all.length ?
        element('td', {}, plural(sum(all.map((copy) => number(copy.count))), 'copy', 'copies') + ', ' + bytes(moved), bar) :
        element('td', {text: '-'});
  };
  return element(
      'div', {},
      ...scrolled(
          'Copy matrix',
          element(
              'table', {}, element('caption', {text: 'Copies from the space of a row to that of a column'}),
              element(
                  'thead', {},
                  element(
                      'tr', {}, element('th', {class: 'name', text: 'from \\ to'}),
                      ...columns.map((to) => element('th', {scope: 'col'}, label(to))))),
              element(
                  'tbody', {},
                  ...rows.map(
                      (from) => element(
                          'tr', {}, element('th', {class: 'name', scope: 'row'}, label(from)),
                          ...columns.map((to) => cell(from, to))))))));
};
const copyList = (copies) => dataTable(
    'Copies, pair by pair',
    [
      {title: 'from', name: true, value: (copy) => copy.from},
      {title: 'to', name: true, value: (copy) => copy.to},
      {title: 'direction', value: (copy) => copy.direction},
      {title: 'count', value: (copy) => copy.count, show: count},
      {title: 'bytes', value: (copy) => copy.bytes, show: count},
      {title: 'time', value: (copy) => copy.total_ns, show: duration},
      {title: 'onto itself', why: 'Bytes of copies of a view onto itself.', value: (copy) => copy.self_bytes, show: bytes},
      {title: 'fills', why: 'Bytes of fills with one value.', value: (copy) => copy.fill_bytes, show: bytes},
    ],
    copies);

const spaceTable = (spaces) => {
  const most = largest(spaces.map((space) => number(space.high_water_bytes)));
  return dataTable(
      'Memory of each space',
      [
        {title: 'space', name: true, value: (space) => space.name},
        {title: 'allocations', value: (space) => space.allocations, show: count},
        {title: 'deallocations', value: (space) => space.deallocations, show: count},
        {title: 'in use at the end', value: (space) => space.bytes, show: bytes},
        {title: 'high-water mark', value: (space) => space.high_water_bytes, show: bytes},
        {title: '', bars: (space) => [{part: most > 0 ? number(space.high_water_bytes) / most : 0}]},
      ],
      spaces);
};

// A region has the number of its parent; where that is missing, rows stand in the order of a walk and their depths say it.
const regionEntries = (regions) => {
  const path = [];
  return regions.map((region, place) => {
    const depth = Math.max(0, Math.min(number(region.depth), path.length));
    path.length = depth;
    path.push(place);
    const walked = depth > 0 ? path[depth - 1] : null;
    return {
      key: place,
      name: region.name,
      parent: isNumber(region.parent) ? region.parent :
          region.parent === null      ? null :
                                        walked,
      total: number(region.total_ns),
      own: region.exclusive_ns,
      count: region.count,
      withRest: false
    };
  });
};

const flatTable = (title, rows, caption = true) => {
  const keys = [...new Set(rows.flatMap(Object.keys))].filter(
      (key) => rows.some((row) => typeof row[key] !== 'object' || row[key] === null));
  return dataTable(
      title, keys.map((key) => ({
                        title: printable(key).replace(/_ns$/, '_time').replace(/_bytes$/, '').replaceAll('_', ' '),
                        name: key === 'name',
                        value: (row) => row[key],
                        show: (value) => (value === undefined ? '-' : measure(key, value))
                      })),
      rows, {caption});
};

const SECONDS = {
  execution: 'Time of the kernels: each had run at the end of its dispatch.',
  dispatch: 'Host time from the begin to the end of a dispatch: the device may have run the kernel later.',
  mixed: 'Host time from the begin to the end of a dispatch: on host devices the kernel had run by then, elsewhere not.',
};
const secondsText = (fencing) => SECONDS[object(fencing).seconds] ||
    'Host time from the begin to the end of a dispatch; on an asynchronous device it is the kernel\u2019s only where a fence ' +
        'waited for it.';

const kokkosSections = [
  [
    'Kernels', 'kernels',
    (record) =>
        [element('p', {class: 'muted', text: secondsText(object(record.run).fencing)}),
         kernelTable('Kernels', record.kernels, true, object(record.run).wall_ns)]
  ],
  ['Fences', 'fences', (record) => [kernelTable('Fences', record.fences, false, object(record.run).wall_ns)]],
  ['Copies', 'copies', (record) => [copyMatrix(list(record.copies).map(object)), copyList(list(record.copies).map(object))]],
  ['Memory', 'spaces', (record) => [spaceTable(list(record.spaces).map(object))]],
  ['Regions', 'regions', (record) => [timeTree('Regions', regionEntries(list(record.regions).map(object)))]],
  [
    'Sections of the program', 'sections',
    (record) => [flatTable('Sections of the program', list(record.sections).map(object), false)]
  ],
  ['Marks', 'marks', (record) => [flatTable('Marks', list(record.marks).map(object), false)]],
  ['Steps', 'steps', (record) => [flatTable('Steps', list(record.steps).map(object), false)]],
];
