// SPDX-License-Identifier: BSD-3-Clause
// A record of the Kokkos module: kernels, fences, copies between spaces, memory, regions, steps.

// What ran inside a kernel or a copy is another's time: shares of own times add up to no more than the whole.
const ownTime = (row) => (isNumber(row.exclusive_ns) ? row.exclusive_ns : number(row.total_ns));
// Fences that the tool layer raised are nobody's.
const counts = (row) => row.tool !== true;
const callsOf = (rows) => {
  const all = objects(rows).filter(counts);
  return {calls: sum(all.map((row) => number(row.count))), ns: sum(all.map(ownTime))};
};
const metadataOf = (run) => objects(object(run.kokkos).metadata).map((pair) => [printable(pair.key), pair.value]);
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
        most = largest(objects(record.spaces).map((space) => number(space.high_water_bytes)));
  const timed = ({calls, ns}) => duration(ns) + (isNumber(wall) ? ', ' + share(ns, wall) : '');
  const tile = (name, all, why) => (all.calls > 0 ? [name, count(all.calls), why, timed(all)] : null);
  return [
    isNumber(wall) ? ['time of the run', duration(wall), 'From the start of the tool to its report.'] : null,
    tile(
        'launches', kernels,
        'Kernels, with their own time' + (isNumber(wall) ? ' and its share of the run' : '') +
            ': without what ran inside them; threads add up.'),
    isNumber(run.outside_kernels_ns) ?
        [
          'outside of kernels', duration(run.outside_kernels_ns), 'Time of the run in which no kernel ran or was sent.',
          share(run.outside_kernels_ns, wall)
        ] :
        null,
    tile('fences', fences, 'Of the program: those that the tool layer raised are left out.'),
    tile('copies', copies, 'With their own time: without what ran inside them.'),
    most > 0 ? ['memory', bytes(most), 'The highest mark of a space.'] : null,
    isNumber(run.threads) ? ['threads', count(run.threads), 'Threads that called Kokkos.'] : null,
    known.has('Kokkos Version') ?
        ['Kokkos', known.get('Kokkos Version'), '', device === undefined ? '' : 'on ' + plainType(device)] :
        null,
    number(record.dropped) > 0 ? ['records dropped', count(record.dropped)] : null,
    number(record.kernels_not_by_region) > 0 ?
        [
          'launches without a row in their region', count(record.kernels_not_by_region),
          'They are among the kernels, and in the rest of their region.'
        ] :
        null,
  ];
};
const wordsOf = (members) => Object.entries(members)
                                 .filter(([, value]) => value !== null)
                                 .map(([key, value]) => key.replaceAll('_', ' ') + ' ' + measure(key, value))
                                 .join(', ');
const fencingText = ({global, asked_by}) => {
  const by = asked_by === null || asked_by === undefined ? '' : ', as asked for by ' + printable(asked_by);
  return global === true ? 'on: Kokkos waits for the end of each kernel' + by :
      global === false   ? 'off: Kokkos waits for no kernel but where the program does' :
      global === null    ? 'unknown: Kokkos never asked whether to wait for the end of each kernel' :
                           null;
};
const kokkosFacts = (run) => {
  const {metadata: _, ...kokkos} = object(run.kokkos);
  return [
    ['measured by', toolText(run)], ['Kokkos', Object.keys(kokkos).length ? wordsOf(kokkos) : null],
    ['fencing', fencingText(object(run.fencing))]
  ];
};
const kokkosMetadata = (run) => {
  const pairs = metadataOf(run);
  return pairs.length ? [details('What Kokkos says of how it was built (' + pairs.length + ')', facts(pairs))] : [];
};

const instanceOf = (row) => printable(row.device) + (number(row.device_number) > 0 ? ' ' + row.device_number : '') +
    (typeof row.scope === 'string' && row.scope !== 'instance' ? ' / ' + printable(row.scope) :
         row.instance === undefined                            ? '' :
                                                                 ' / ' + printable(row.instance));
const kernelTable = (title, calls, kind, wall) => {
  const rows = sorted(objects(calls), (row) => row.total_ns, -1), whole = callsOf(calls).ns,
        own = rows.some((row) => isNumber(row.exclusive_ns));
  const part = (title, why, of) =>
      ({title, why, value: (row) => (counts(row) ? ownTime(row) : null), show: (value) => share(value, of)});
  return dataTable(
      title,
      [
        {title: 'label', name: true, value: (row) => row.name},
        {title: 'count', value: (row) => row.count, show: count},
        {title: 'total', value: (row) => row.total_ns, show: duration},
        barColumn(rows, (row) => row.total_ns),
        kind ? part('of kernels', 'Own time over that of all kernels.', whole) :
               part('of fences', 'Of those of the program.', whole),
        ...(isNumber(wall) ? [part('of the run', kind ? 'Own time over that of the run.' : '', wall)] : []),
        ...(own ? [{title: 'own', why: 'Without what ran inside.', value: (row) => row.exclusive_ns, show: duration}] : []),
        {title: 'mean', value: (row) => row.mean_ns, show: duration},
        {title: 'min', value: (row) => row.min_ns, show: duration},
        {title: 'max', value: (row) => row.max_ns, show: duration},
        ...(kind ? [{title: 'kind', value: (row) => row.kind}] : []),
        {title: 'device / instance', value: instanceOf},
        ...(rows.every(counts) ? [] : [{title: 'by', value: (row) => (counts(row) ? 'program' : 'tool layer')}]),
      ],
      rows, {caption: false});
};

// From the rows to the columns: the fuller a cell the more bytes. Of more spaces than can be read there is the list alone.
const MOST_SPACES = 32;
const copyMatrix = (copies) => {
  const rows = [...new Set(copies.map((copy) => printable(copy.from)))],
        columns = [...new Set(copies.map((copy) => printable(copy.to)))],
        most = largest(copies.map((copy) => number(copy.bytes)));
  if (Math.max(rows.length, columns.length) > MOST_SPACES) return null;
  const cell = (from, to) => {
    const all = copies.filter((copy) => printable(copy.from) === from && printable(copy.to) === to),
          moved = sum(all.map((copy) => number(copy.bytes)));
    return all.length ?
        element(
            'td', {}, plural(sum(all.map((copy) => number(copy.count))), 'copy', 'copies') + ', ' + bytes(moved),
            tableBar(partOf(moved, most), 'device')) :
        element('td', {text: '-'});
  };
  return element(
      'div', {},
      scrolled(
          'Copy matrix',
          element(
              'table', {}, element('caption', {text: 'Copies from the space of a row to that of a column'}),
              element(
                  'thead', {},
                  element(
                      'tr', {}, element('th', {class: 'name', text: 'from \\ to'}),
                      columns.map((to) => element('th', {scope: 'col'}, label(to))))),
              element(
                  'tbody', {},
                  rows.map(
                      (from) => element(
                          'tr', {}, element('th', {class: 'name', scope: 'row'}, label(from)),
                          columns.map((to) => cell(from, to))))))));
};
const copyList = (copies) => dataTable(
    'Copies, pair by pair',
    [
      {title: 'from', name: true, value: (copy) => copy.from},
      {title: 'to', name: true, value: (copy) => copy.to},
      {title: 'bytes', value: (copy) => copy.bytes, show: bytes},
      {title: 'time', value: (copy) => copy.total_ns, show: duration},
      {title: 'count', value: (copy) => copy.count, show: count},
      {title: 'direction', value: (copy) => copy.direction},
      {title: 'own', why: 'Without what ran inside, as fences.', value: (copy) => copy.exclusive_ns, show: duration},
      {title: 'onto itself', why: 'Bytes of copies of a view onto itself.', value: (copy) => copy.self_bytes, show: bytes},
      {title: 'fills', why: 'Bytes of fills with one value.', value: (copy) => copy.fill_bytes, show: bytes},
    ],
    copies);

const spaceTable = (spaces) => {
  return dataTable(
      'Memory of each space',
      [
        {title: 'space', name: true, value: (space) => space.name},
        {title: 'high-water mark', value: (space) => space.high_water_bytes, show: bytes},
        barColumn(spaces, (space) => space.high_water_bytes),
        {title: 'in use at the end', value: (space) => space.bytes, show: bytes},
        {title: 'allocations', value: (space) => space.allocations, show: count},
        {title: 'deallocations', value: (space) => space.deallocations, show: count},
      ],
      spaces);
};

// A region has the number of the one around it. The share of an outermost one is of the time of the run.
const regionEntries = (regions, wall) => regions.map((region, place) => ({
                                                       ...phaseEntry(region),
                                                       key: place,
                                                       parent: number(region.parent, null),
                                                       own: number(region.exclusive_ns, null),
                                                       whole: wall
                                                     }));
// What cannot be is not taken for a time.
const ownOf = (row, total) => (row.exclusive_ns >= 0 && row.exclusive_ns <= total ? number(row.exclusive_ns, total) : total);
// Kernels launched in a region itself, devices and instances folded, by falling time. Shares are of own times, which add up.
const regionKernels = (kernels) => {
  const folded = new Map();
  for (const row of kernels.filter((one) => isNumber(one.parent))) {
    const name = (printable(row.name) || '(no label)') + ' (' + printable(row.kind) + ')', key = row.parent + ' ' + name,
          times = {count: number(row.count), timed: number(row.timed, number(row.count)), total: number(row.total_ns)},
          own = ownOf(row, times.total), first = folded.get(key);
    if (!first) {
      folded.set(
          key, {key, name, parent: row.parent, kernel: true, ...times, own, min: number(row.min_ns), max: number(row.max_ns)});
      continue;
    }
    if (times.timed > 0) first.min = first.timed > 0 ? Math.min(first.min, number(row.min_ns)) : number(row.min_ns);
    first.max = Math.max(first.max, number(row.max_ns));
    for (const [member, more] of Object.entries({...times, own})) first[member] += more;
  }
  const all = [...folded.values()].map((one) => ({...one, part: one.own, mean: one.timed > 0 ? one.total / one.timed : 0}));
  return sorted(sorted(all, (one) => one.name, 1), (one) => one.total, -1);
};
// What ran in a region and is neither its own time, nor a region, nor a kernel that has a row there.
const restsOfRegion = (others) => (node) => {
  if (node.own === null || node.kernel) return [];
  const inside = sum(node.children.map((child) => (child.kernel ? child.own : child.total))),
        calls = node.total - node.own - inside;
  return [
    ...(calls > 0 ? [{name: others + ' in ' + printable(node.name), ns: calls, whole: node.total, kind: 'own'}] : []),
    ...(calls > 0 || inside > 0 ? [unmeasured(node)] : [])
  ];
};
// On one thread the times of the outermost regions add up to no more than the run.
const outsideOfRegions = (regions, run) => {
  const left = number(run.wall_ns) - sum(regions.filter((one) => !isNumber(one.parent)).map((one) => number(one.total_ns)));
  return run.threads === 1 && number(run.wall_ns) > 0 && left >= 0 ?
      {name: 'outside of regions', ns: left, whole: run.wall_ns, kind: 'hatched'} :
      null;
};
const regionSection = (record) => {
  const regions = objects(record.regions), run = object(record.run),
        tellsKernels = Array.isArray(record.kernels_by_region) && number(record.kernels_not_by_region) === 0,
        entries = [...regionEntries(regions, run.wall_ns), ...regionKernels(objects(record.kernels_by_region))],
        rests = restsOfRegion(tellsKernels ? 'fences and copies' : 'kernels, fences and copies');
  return [
    element('p', {
      class: 'muted',
      text: 'Host wall time of all calls' +
          (isNumber(run.wall_ns) ? ', outermost regions as a share of the time of the run' : '') +
          '. Light is what the rows inside a region explain, hatched what none does: code that is no kernel, fence or copy.' +
          (number(run.threads) > 1 ? ' Regions of several threads add up.' : '')
    }),
    timeTree('Regions', entries, {restsOf: rests, last: outsideOfRegions(regions, run)})
  ];
};

// The names of the regions around something, from the outermost.
const regionPath = (regions, innermost) => {
  const names = [];
  for (let at = number(innermost, -1); regions[at] && names.length < DEEPEST; at = number(regions[at].parent, -1))
    names.unshift(printable(regions[at].name));
  return names.length ? names.join(' / ') : '-';
};
const sectionTable = (sections, regions) => dataTable(
    'Sections of the program',
    [
      {title: 'section', name: true, value: (section) => section.name},
      {title: 'in region', name: true, value: (section) => regionPath(regions, section.parent)},
      {title: 'count', value: (section) => section.count, show: count},
      {title: 'total', value: (section) => section.total_ns, show: duration},
      barColumn(sections, (section) => section.total_ns),
      {title: 'mean', value: (section) => section.mean_ns, show: duration},
      {title: 'min', value: (section) => section.min_ns, show: duration},
      {title: 'max', value: (section) => section.max_ns, show: duration},
    ],
    sections, {caption: false});

// Below the heading that is its title.
const flatTable = (title, rows) => {
  const keys = [...new Set(rows.flatMap(Object.keys))].slice(0, COLUMNS);
  return dataTable(
      title, keys.map((key) => ({
                        title: cut(key, LONGEST_NAME).replace(/_ns$/, '_time').replace(/_bytes$/, '').replaceAll('_', ' '),
                        name: key === 'name',
                        value: (row) => row[key],
                        show: (value) => (value === undefined ? '-' : measure(key, value))
                      })),
      rows, {caption: false});
};

const SECONDS = new Map([
  ['execution', 'Time of the kernels: each had run at the end of its dispatch.'],
  ['dispatch', 'Host time from the begin to the end of a dispatch: the device may have run the kernel later.'],
  ['mixed', 'Host time from the begin to the end of a dispatch: on host devices the kernel had run by then, elsewhere not.'],
]);
const secondsText = (fencing) => SECONDS.get(object(fencing).seconds) ||
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
  ['Copies', 'copies', (record) => [copyMatrix(objects(record.copies)), copyList(objects(record.copies))]],
  ['Memory', 'spaces', (record) => [spaceTable(objects(record.spaces))]],
  ['Regions', 'regions', regionSection],
  ['Sections of the program', 'sections', (record) => [sectionTable(objects(record.sections), objects(record.regions))]],
  ['Marks', 'marks', (record) => [flatTable('Marks', objects(record.marks))]],
  ['Steps', 'steps', (record) => [flatTable('Steps', objects(record.steps))]],
];
