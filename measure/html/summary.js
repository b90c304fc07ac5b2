// SPDX-License-Identifier: BSD-3-Clause
// Who ran what, on what, and what measuring it cost.

const roots = (record) => objects(record.events).filter((event) => event.parent === null || event.parent === undefined);

// What is known to have been spent on it: the clock reads and sums of phases and items, in the best case. What it is short of
// is said beside it.
const recordingCost = (record) => {
  const cost = object(record.cost), phases = sum(objects(record.events).map((event) => number(event.count)));
  const items = sum(objects(record.batch_summaries).map((summary) => number(summary.completed)));
  if (!isNumber(cost.phase_record_ns)) return null;
  return phases * cost.phase_record_ns + items * number(cost.item_record_ns);
};
const recordingText = (record) => {
  const known = recordingCost(record), all = sum(roots(record).map((event) => number(event.total_ns)));
  if (known === null) return null;
  const beyond = [
    'cold caches', number(object(record.cost).item_record_ns) > 0 ? 'the record of each batch, the values of terms' : null,
    record.hooks || record.level === 'hooked' ? 'the hooks themselves, which may be most' : null
  ].filter(Boolean);
  return 'at least ' + duration(known) + ' of processor time on all lanes' +
      (all > 0 ? ', ' + share(known, all) + ' of the time of the run' : '') +
      ': the figures above times the phases and items. Not in it: ' + beyond.join(', ') + '.';
};

const clockText = (clock) => clock.name === undefined ?
    null :
    printable(clock.name) + (isNumber(clock.resolution_ns) ? ', resolution ' + duration(clock.resolution_ns) : '');
const costText = (cost) => {
  const parts =
      [
        ['clock_read_ns', 'a clock read'], ['phase_record_ns', 'a phase'], ['item_record_ns', 'an item'],
        ['launch_record_ns', 'a launch']
      ].filter(([key]) => isNumber(cost[key]))
          .map(([key, name]) => name + ' ' + duration(cost[key]));
  return parts.length ? parts.join(', ') : null;
};
const blasText = (blas) => typeof blas === 'string' ? blas :
    object(blas).name === undefined                 ? null :
                                      printable(blas.name) + (blas.kernel ? ', kernel ' + printable(blas.kernel) : '') +
        (isNumber(blas.threads) ? ', ' + plural(blas.threads, 'thread') : '');

const NOTES = 24;  // at most
const notes = (record) => {
  const found = [];
  const when = (value, text) => number(value) > 0 && found.push(text(value));
  when(
      record.dropped,
      (value) => plural(value, 'batch', 'batches') + ' beyond the limit (--detail-limit): in the sums, not kept one by one.');
  when(record.slots_dropped, (value) => plural(value, 'item') + ' beyond the limit: in the sums, not kept one by one.');
  when(
      record.timeline_dropped,
      (value) => plural(value, 'entry', 'entries') + ' of the timeline beyond its limit (--detail-limit) are not shown.');
  if (isNumber(record.mismatches))
    when(record.mismatches, (value) => plural(value, 'phase') + ' entered or left out of order, not counted.');
  else
    Object.entries(object(record.mismatches))
        .forEach(([name, value]) => when(value, () => 'Mismatches: ' + printable(name) + ' ' + value + '.'));
  when(
      record.device_lost,
      (value) => plural(value, 'batch or phase', 'batches and phases') + ' without the device time that it should have.');
  return found.slice(0, NOTES);
};

// Of a program of one's own every fact is a text.
const lanesOf = (run) => (/^\d{1,9}$/.test(run.lanes) ? Number(run.lanes) : null);
const headTiles = (record) => {
  const run = object(record.run), lanes = lanesOf(run), all = roots(record), summaries = objects(record.batch_summaries),
        failed = sum(summaries.map((one) => number(one.failed))), batches = sum(summaries.map((one) => number(one.batches)));
  return [
    all.length ?
        [
          all.length === 1 ? cut(all[0].name, LONGEST_NAME) : 'outermost phases',
          duration(sum(all.map((event) => number(event.total_ns))))
        ] :
        null,
    record.level ? ['measurements', record.level] : null,
    run.executor ? ['executor', printable(run.executor), '', lanes === null ? '' : plural(lanes, 'lane')] :
                   ['lanes', lanes === null ? null : count(lanes)],
    batches ? ['batches', count(batches)] : null,
    failed ? ['failed batches', count(failed)] : null,
    number(record.dropped) > 0 ?
        [
          'records dropped', count(record.dropped),
          'Batches beyond the limit of those kept one by one; their times are in the sums.'
        ] :
        null,
  ];
};

// What has a place of its own.
const SAID = new Set(['program', 'version', 'command_line', 'date', 'host', 'device', 'blas']);
const SAID_OF_RECORDER = new Set(['executor', 'measurements']);
const SAID_OF_KOKKOS =
    new Set(['kokkos', 'fencing', 'tool', 'tool_version', 'wall_ns', 'kernels_ns', 'outside_kernels_ns', 'threads']);
const isSaid = (record, key) => SAID.has(key) || (record.kind === 'kokkos' ? SAID_OF_KOKKOS : SAID_OF_RECORDER).has(key) ||
    (key === 'lanes' && record.kind !== 'kokkos' && lanesOf(object(record.run)) !== null);

// What is short enough to be read at a glance stands open, the rest is folded away.
const SHORT = 40, SHORT_ONES = 40;
const otherFacts = (title, pairs) => {
  const fits = ([key, value]) => Math.max(key.length, value.length) <= SHORT, open = pairs.filter(fits).slice(0, SHORT_ONES),
        shown = new Set(open), rest = pairs.filter((pair) => !shown.has(pair));
  return [
    open.length ?
        element(
            'dl', {class: 'settings'},
            open.map(([key, value]) => element('div', {}, element('dt', {}, label(key)), element('dd', {}, label(value))))) :
        null,
    rest.length ? details(title, facts(rest)) : null
  ];
};
const summarySection = (record) => {
  const run = object(record.run), cost = object(record.cost), kokkos = record.kind === 'kokkos',
        command = typeof run.command_line === 'string' ? [run.command_line] : list(run.command_line);
  const members = (from) => Object.entries(object(from)).map(([key, value]) => [key, measure(key, value)]);
  const rest = members(run).filter(([key]) => !isSaid(record, key)), result = members(record.result);
  return [
    tiles(kokkos ? kokkosTiles(record) : headTiles(record)),
    ...notes(record).map((text) => element('p', {class: 'note', text})),
    facts([
      ['command', command.length ? element('code', {text: cut(command.map(printable).join(' '), LONGEST_LABEL)}) : null],
      ['version', run.version],
      ['date', run.date],
      ['host', run.host],
      ['BLAS', blasText(run.blas)],
      ['device', run.device ? measure('', run.device) : null],
      ['clock', clockText(object(record.clock))],
      ['cost of a record', costText(cost)],
      ['cost of recording', recordingText(record)],
      ...(kokkos ? kokkosFacts(run) : []),
    ]),
    ...otherFacts('More of the run', rest),
    ...(kokkos ? kokkosMetadata(run) : []),
    result.length ? details('The result', facts(result)) : null,
  ];
};

const phaseEntry = (event) => ({
  key: event.name,
  name: event.name,
  parent: event.parent === undefined ? null : event.parent,
  total: number(event.total_ns),
  own: event.exclusive_ns,
  count: event.count,
  mean: event.mean_ns,
  min: event.min_ns,
  max: event.max_ns
});

const phaseDeviceTable = (events) => {
  const columns = [
    {title: 'phase', name: true, value: (event) => event.name},
    {title: 'host total', value: (event) => event.total_ns, show: duration},
    {
      title: 'device busy',
      why: 'Time in which at least one command ran.',
      value: (event) => event.device.busy_ns,
      show: duration
    },
    {title: 'busy share', bars: (event) => [{part: partOf(event.device.busy_ns, event.total_ns), kind: 'device'}]},
    {title: 'device total', why: 'Sum of the times of the commands.', value: (event) => event.device.total_ns, show: duration},
    {title: 'commands', value: (event) => event.device.commands, show: count},
  ];
  return dataTable('Device time of phases', columns, events);
};

const phaseSection = (record) => {
  const events = objects(record.events), onDevice = events.filter((event) => event.device);
  const text = 'Host wall time of all calls. What the phases inside one do not explain is hatched. ' +
      'Arrow keys go up and down, left and right close and open.';
  return [
    element('p', {class: 'muted', text}), timeTree('Phases', events.map(phaseEntry)),
    onDevice.length ? phaseDeviceTable(onDevice) : null
  ];
};
