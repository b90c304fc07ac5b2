// SPDX-License-Identifier: BSD-3-Clause
// What hooks counted: of each phase on the thread that drives it, of the items on all lanes.

// The rows of the phases in the order of their tree, each with its depth.
const hookPhases = (record, counted) => {
  const byName = new Map(objects(record.events).map((event) => [event.name, event]));
  const entries = counted.map((one) => {
    const event = object(byName.get(one.name));
    return {
      key: one.name,
      name: one.name,
      parent: event.parent === undefined ? null : event.parent,
      total: 0,
      own: 0,
      one,
      event
    };
  });
  return treeRows(treeNodes(entries, () => []), new Set())
      .filter(({rest}) => !rest)
      .map(({node, depth}) => ({...node.one, depth, wall: node.event.total_ns}));
};

const hookTitle = (counter) =>
    cut(printable(counter.name) + (counter.unit && counter.unit !== 'ns' ? ' (' + printable(counter.unit) + ')' : ''),
        LONGEST_NAME);
const hookColumns = (counters, key) => counters.map(
    (counter, place) =>
        ({title: hookTitle(counter), value: (row) => list(row[key])[place], show: counter.unit === 'ns' ? duration : count}));
const hookBars = (counters, rows, key) => (counters.length ? [barColumn(rows, (row) => list(row[key])[0])] : []);

// Time of a counter above the wall time of its phase on one thread can only be the counters' own.
const aboveWall = (counters, phases) => phases.filter(
    (row) => counters.some(
        (counter, place) => counter.unit === 'ns' && isNumber(row.wall) && number(list(row.values)[place]) > row.wall));

const hookNotes = (hooks, counted) => {
  const shares = counted.flatMap((one) => [...list(one.counted_share), ...list(one.item_counted_share)]).filter(isNumber);
  return [
    shares.length ? 'Counters took turns: values are scaled up from the part of the time in which they counted, at least ' +
            share(smallest(shares), 1) + '.' :
                    null,
    hooks.note ? printable(hooks.note) + '.' : null,
    number(hooks.failures) > 0 ? 'Sums lack the part of threads whose hooks failed, ' + hooks.failures +
            ' in all; the first: ' + printable(hooks.failure) + '.' :
                                 null,
  ].filter(Boolean);
};

const hookSection = (record) => {
  const hooks = object(record.hooks), counters = objects(hooks.counters), counted = objects(hooks.events);
  const phases = hookPhases(record, counted.filter((one) => number(one.count) > 0)),
        items = counted.filter((one) => number(one.items) > 0);
  return [
    element('p', {
      class: 'muted',
      text: 'Hooks ' + printable(hooks.name) +
          ': a phase is of the thread that drives it and contains those indented below it, ' +
          'items are of all lanes.' + (counters.length ? ' Bars are of ' + hookTitle(counters[0]) + '.' : '')
    }),
    ...hookNotes(hooks, counted).map((text) => element('p', {class: 'note', text})),
    phases.length ? dataTable(
                        'Counters of each phase',
                        [
                          {title: 'phase', name: true, value: (row) => row.name, depth: (row) => row.depth},
                          ...hookBars(counters, phases, 'values'),
                          {title: 'count', value: (row) => row.count, show: count},
                          ...hookColumns(counters, 'values'),
                          {title: 'wall', value: (row) => row.wall, show: duration},
                        ],
                        phases) :
                    null,
    aboveWall(counters, phases).length ? element('p', {
      class: 'muted',
      text: 'Time of a counter beyond the wall time of its phase is what reading the counters took: ' +
          'it weighs the more the shorter the calls are.'
    }) :
                                         null,
    items.length ? dataTable(
                       'Counters of the items',
                       [
                         {title: 'items of', name: true, value: (row) => row.name},
                         ...hookBars(counters, items, 'item_values'),
                         {title: 'items', value: (row) => row.items, show: count},
                         ...hookColumns(counters, 'item_values'),
                       ],
                       items) :
                   null,
  ];
};
