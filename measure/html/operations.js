// SPDX-License-Identifier: BSD-3-Clause
// Where the seconds went beside where the operations are: of a phase profile, or of the items by their cost estimates.

// {name, items, ns, operations} of each event whose items have costs that are no seconds.
const estimatedOperations = (record) => {
  if (Object.keys(object(record.costs)).length > 0) return [];
  const rows = new Map();
  for (const batch of objects(record.batches)) {
    const items = object(batch.items), cost = numbers(items.cost), took = numbers(items.duration_ns);
    if (batch.submission || cost.length === 0) continue;
    if (!rows.has(batch.event)) rows.set(batch.event, {name: batch.event, items: 0, ns: 0, operations: 0});
    const row = rows.get(batch.event);
    row.items += took.length;
    row.ns += sum(took);
    row.operations += sum(cost);
  }
  return [...rows.values()].filter((row) => row.operations > 0);
};
const rateOf = (row) => (row.ns > 0 ? row.operations / row.ns : null);
const shareLegend = () => element(
    'ul', {class: 'legend'}, element('li', {}, swatchOf('time'), 'share of the seconds'),
    element('li', {}, swatchOf('estimate'), 'share of the operations'));

const estimateSection = (record) => {
  const rows = sorted(estimatedOperations(record), (row) => row.ns, -1), ns = sum(rows.map((row) => row.ns)),
        operations = sum(rows.map((row) => row.operations));
  const all = {name: 'all', items: sum(rows.map((row) => row.items)), ns, operations};
  const most = largest(rows.flatMap((row) => [row.ns / ns, row.operations / operations]));
  return [
    element('p', {
      class: 'muted',
      text:
          'Operations are the cost estimates of the items, multiplications mostly: what orders the items, not a count of each ' +
          'instruction. Of batches that were kept; seconds are those of the items, added up over the lanes.'
    }),
    shareLegend(),
    dataTable(
        'Seconds and estimated operations of the items',
        [
          {title: 'items of', name: true, value: (row) => row.name},
          {
            title: 'seconds | operations',
            bars: (row) => row === all ?
                [] :
                [{part: partOf(row.ns / ns, most)}, {part: partOf(row.operations / operations, most), kind: 'estimate'}]
          },
          {title: 'items', value: (row) => row.items, show: count},
          {title: 'time', value: (row) => row.ns, show: duration},
          {title: 'share', value: (row) => row.ns, show: (value) => share(value, ns)},
          {title: 'operations', value: (row) => row.operations, show: count},
          {title: 'of operations', value: (row) => row.operations, show: (value) => share(value, operations)},
          {
            title: 'G/s',
            why: 'Operations, in thousands of millions, in a second of one lane.',
            value: rateOf,
            show: (value) => (isNumber(value) ? digits(value, 4) : '-')
          },
        ],
        rows, {total: [all]})
  ];
};

const hasProfile = (record) => list(object(record.profile).phases).length > 0;
const operationSection = (record) => (hasProfile(record) ? profileSection(record) : estimateSection(record));

const profileSection = (record) => {
  const profile = object(record.profile), phases = objects(profile.phases),
        unit = printable(profile.operations_unit || 'operation');
  const most = largest(phases.flatMap((phase) => [number(phase.share), number(phase.operations_share)]));
  const device = phases.some((phase) => isNumber(phase.device_ns));
  const total = {
    name: 'profiled total',
    total_ns: profile.profiled_total_ns,
    operations: profile.operations_total,
    flops: profile.flops_total,
    gflops_per_second: number(profile.profiled_total_ns) > 0 ? number(profile.flops_total) / profile.profiled_total_ns : null
  };
  return [
    profile.withheld ? element('p', {class: 'note', text: 'Shares are withheld: ' + printable(profile.withheld)}) : null,
    shareLegend(),
    dataTable(
        'Seconds and operations of each phase',
        [
          {title: 'phase', name: true, value: (phase) => phase.name},
          {
            title: 'seconds | operations',
            bars: (phase) => [{part: partOf(phase.share, most)}, {part: partOf(phase.operations_share, most), kind: 'estimate'}]
          },
          {title: 'time', value: (phase) => phase.total_ns, show: duration},
          {title: 'share', value: (phase) => phase.share, show: (value) => share(value, 1)},
          {title: 'operations', why: 'In units of one ' + unit + '.', value: (phase) => phase.operations, show: count},
          {title: 'of operations', value: (phase) => phase.operations_share, show: (value) => share(value, 1)},
          {title: 'calls', value: (phase) => phase.calls, show: count},
          {title: 'flops', value: (phase) => phase.flops, show: (value) => (isNumber(value) ? String(Math.round(value)) : '-')},
          {
            title: 'GF/s',
            value: (phase) => phase.gflops_per_second,
            show: (value) => (isNumber(value) ? digits(value, 4) : '-')
          },
          ...(device ? [{title: 'device time', value: (phase) => phase.device_ns, show: duration}] : []),
        ],
        phases, {total: [{name: 'residual', total_ns: profile.residual_ns, share: profile.residual_share}, total]}),
    facts([
      ['scope', profile.scope],
      ['with measurements off', isNumber(profile.off_total_ns) ? duration(profile.off_total_ns) : null],
      ['counting rule', profile.counting_rule]
    ]),
  ];
};
