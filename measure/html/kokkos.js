// SPDX-License-Identifier: BSD-3-Clause
// A record of the Kokkos module: kernels, fences, copies between spaces, memory, regions, steps.

const instanceOf = (row) => printable(row.device) + (number(row.device_number) > 0 ? ' ' + row.device_number : '') +
    (typeof row.scope === 'string'  ? ' / ' + printable(row.scope) :
         row.instance === undefined ? '' :
                                      ' / ' + printable(row.instance));
const kernelTable = (title, calls, kind) => {
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
        {title: 'share', value: (row) => row.total_ns, show: (value) => share(value, whole)},
        ...(own ? [{title: 'own', why: 'Without what ran inside.', value: (row) => row.exclusive_ns, show: duration}] : []),
        {title: 'mean', value: (row) => row.mean_ns, show: duration},
        {title: 'min', value: (row) => row.min_ns, show: duration},
        {title: 'max', value: (row) => row.max_ns, show: duration},
        ...(rows.some((row) => row.tool) ? [{title: 'by', value: (row) => (row.tool ? 'tool layer' : 'program')}] : []),
      ],
      rows);
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
      'div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Copy matrix'},
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
                      ...columns.map((to) => cell(from, to)))))));
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

const flatTable = (title, rows) => {
  const keys = [...new Set(rows.flatMap(Object.keys))].filter(
      (key) => rows.some((row) => typeof row[key] !== 'object' || row[key] === null));
  return dataTable(
      title, keys.map((key) => ({
                        title: printable(key).replace(/_ns$/, '_time').replace(/_bytes$/, '').replaceAll('_', ' '),
                        name: key === 'name',
                        value: (row) => row[key],
                        show: (value) => (value === undefined ? '-' : measure(key, value))
                      })),
      rows);
};

const kokkosSections = [
  [
    'Kernels', 'kernels',
    (record) =>
        [element('p', {
           class: 'muted',
           text: 'Host time from the begin to the end of a dispatch; on an asynchronous device ' +
               'it is the kernel\u2019s only where the fencing said above waits for it.'
         }),
         kernelTable('Kernels', record.kernels, true)]
  ],
  ['Fences', 'fences', (record) => [kernelTable('Fences', record.fences, false)]],
  ['Copies', 'copies', (record) => [copyMatrix(list(record.copies).map(object)), copyList(list(record.copies).map(object))]],
  ['Memory', 'spaces', (record) => [spaceTable(list(record.spaces).map(object))]],
  ['Regions', 'regions', (record) => [timeTree('Regions', regionEntries(list(record.regions).map(object)))]],
  ['Sections of the program', 'sections', (record) => [flatTable('Sections', list(record.sections).map(object))]],
  ['Marks', 'marks', (record) => [flatTable('Marks', list(record.marks).map(object))]],
  ['Steps', 'steps', (record) => [flatTable('Steps', list(record.steps).map(object))]],
];
