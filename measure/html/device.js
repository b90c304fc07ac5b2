// SPDX-License-Identifier: BSD-3-Clause
// What was launched on a device, what was waited for, what was copied.

const callTable = (title, calls, unrecorded, total) => {
  const rows = objects(calls), named = (row, name) => ({...object(row), label: name});
  return dataTable(
      title,
      [
        {title: 'label', name: true, value: (row) => row.label},
        {title: 'count', value: (row) => row.count, show: count},
        {title: 'host total', value: (row) => row.total_ns, show: duration},
        barColumn(rows, (row) => row.total_ns),
        {title: 'share', value: (row) => row.total_ns, show: (value) => share(value, object(total).total_ns)},
        {title: 'mean', value: (row) => row.mean_ns, show: duration},
        {title: 'min', value: (row) => row.min_ns, show: duration},
        {title: 'max', value: (row) => row.max_ns, show: duration},
      ],
      rows, {
        total: [
          ...(number(object(unrecorded).count) > 0 ? [named(unrecorded, '(labels without room)')] : []),
          ...(total ? [named(total, 'all')] : [])
        ]
      });
};

const COPY_NAMES = new Map([['to_device', 'to the device'], ['to_host', 'to the host'], ['on_device', 'on the device']]);
const copyTable = (copies) => {
  const rows = Object.entries(object(copies)).map(([key, value]) => ({...object(value), name: COPY_NAMES.get(key) || key}));
  return dataTable(
      'Copies',
      [
        {title: 'direction', name: true, value: (row) => row.name},
        {title: 'count', value: (row) => row.count, show: count},
        {title: 'bytes', value: (row) => row.bytes, show: count},
        {title: 'size', value: (row) => row.bytes, show: bytes},
        barColumn(rows, (row) => row.bytes, 'device'),
      ],
      rows);
};

const deviceSection = (record) => {
  const device = object(record.device),
        memory =
            Object.entries(object(device.device_memory)).map(([key, value]) => [key.replaceAll('_', ' '), measure(key, value)]);
  return [
    element('p', {class: 'muted', text: 'Seconds are the host\u2019s: what sending cost, and what waiting did.'}),
    callTable('Launches', device.launches, device.launches_unrecorded, device.launches_total),
    callTable('Fences', device.fences, device.fences_unrecorded, device.fences_total),
    copyTable(device.copies),
    number(device.call_mismatches) > 0 ?
        element('p', {class: 'note', text: plural(device.call_mismatches, 'call') + ' ended without a beginning.'}) :
        null,
    memory.length ? element('div', {}, element('h3', {text: 'Memory of the device'}), facts(memory)) : null,
  ];
};
