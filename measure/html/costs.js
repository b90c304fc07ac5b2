// SPDX-License-Identifier: BSD-3-Clause
// Fitted costs: what they predicted, and what another order of the items could have gained.

const IDLE = [
  ['idle_share_seen', 'seen', 'As the lanes were.'],
  ['idle_share_recorded_order', 'recorded order', 'A list schedule in the order in which the items were started.'],
  ['idle_share_fitted_order', 'fitted order', 'A list schedule in the order of the fitted costs.'],
  ['idle_share_known_durations', 'longest first', 'A list schedule as if the durations had been known.'],
  ['idle_share_bound', 'bound', 'No schedule of these items could leave less.'],
];

const idleTable = (events) => {
  const columns = [
    {title: 'event', name: true, value: (event) => event.name},
    {title: 'batches', why: 'Those on several lanes.', value: (event) => event.batches, show: count},
    {
      title: 'seen | fitted order',
      bars: (event) =>
          [{part: partOf(event.idle_share_seen, 1)}, {part: partOf(event.idle_share_fitted_order, 1), kind: 'estimate'}]
    },
    ...IDLE.map(([key, title, why]) => ({title, why, value: (event) => event[key], show: (value) => share(value, 1)})),
  ];
  return dataTable('Share of the lanes in which no item ran', columns, events);
};

const predictionTable = (events) => {
  const plain = (value) => (isNumber(value) ? digits(value, 3) : '-');
  const columns = [
    {title: 'event', name: true, value: (event) => event.name},
    {title: 'items', value: (event) => event.items, show: count},
    {title: 'predicted over seen', why: 'The median of the items.', value: (event) => event.median_ratio, show: plain},
    {title: 'from', why: 'One in ten items has less.', value: (event) => event.ratio_p10, show: plain},
    {title: 'to', why: 'One in ten items has more.', value: (event) => event.ratio_p90, show: plain},
    {
      title: 'rank correlation',
      why: 'Of predicted and seen within a batch: 1 is the same order.',
      value: (event) => event.rank_correlation,
      show: plain
    },
  ];
  return dataTable('Predicted against seen', columns, events);
};

const termTable = (events) => {
  const rows = events.flatMap((event) => objects(event.terms).map((term) => ({...term, event: event.name})));
  const columns = [
    {title: 'event', name: true, value: (row) => row.event},
    {title: 'term', name: true, value: (row) => row.name},
    {title: 'seconds for one', value: (row) => row.seconds, show: (value) => (isNumber(value) ? value.toExponential(3) : '-')},
  ];
  return details('Terms of the costs', dataTable('Terms', columns, rows, {limit: 100}));
};

const costSection = (record) => {
  const events = objects(object(record.costs).events), shared = events.filter((event) => number(event.batches) > 0);
  const seen = events.filter((event) => number(event.items) > 0);
  return [
    facts([['file', object(record.costs).file]]),
    seen.length ? predictionTable(seen) : null,
    shared.length ? element(
                        'ul', {class: 'legend'}, element('li', {}, swatchOf('time'), 'idle as seen'),
                        element('li', {}, swatchOf('estimate'), 'idle in the order of the fitted costs')) :
                    null,
    shared.length ? idleTable(shared) : null,
    termTable(events),
  ];
};
