// SPDX-License-Identifier: BSD-3-Clause
// A phase profile: where the seconds went beside where the operations are.

const operationSection = (record) => {
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
    element(
        'ul', {class: 'legend'}, element('li', {}, swatchOf('time'), 'share of the seconds'),
        element('li', {}, swatchOf('estimate'), 'share of the operations')),
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
