// SPDX-License-Identifier: BSD-3-Clause
// The batches and the one that is chosen: its figures, its lanes in time, and the same as a table.

const laneTable = (batch, chart) => {
  const rows = chart.tracks.filter((tr) => tr.kind === 'lane').map((tr) => {
    const busy = sum(tr.places.map((place) => tr.columns.took[place]));
    return {
      name: tr.name,
      items: tr.places.length,
      busy,
      wall: number(batch.wall_ns),
      last: largest(tr.places.map((place) => tr.columns.start[place] + tr.columns.took[place]))
    };
  });
  return dataTable(
      'Lanes of the batch',
      [
        {title: 'lane', name: true, value: (row) => row.name},
        {title: 'items', value: (row) => row.items, show: count},
        {title: 'busy', value: (row) => row.busy, show: duration},
        {title: 'idle', value: (row) => row.wall - row.busy, show: duration},
        {
          title: 'idle share',
          value: (row) => (row.wall > 0 ? 1 - row.busy / row.wall : null),
          show: (value) => share(value, 1)
        },
        {title: 'last finish', value: (row) => row.last, show: duration},
      ],
      rows);
};

const chosenTiles = (row, items, marks) => {
  const {batch} = row, bound = row.lanes > 0 && !batch.submission ? Math.max(row.longest, row.busy / row.lanes) : null;
  const critical = marks.critical;
  return tiles([
    ['wall', duration(row.wall)],
    [
      'least possible', bound === null ? null : duration(bound),
      'No order of these items on these lanes ends before the longest item, nor before the mean of the lanes\u2019 work.'
    ],
    [
      'items', count(row.items) + (batch.requested !== batch.completed ? ' of ' + count(batch.requested) : ''), '',
      batch.submission ? 'submit to a device' : ''
    ],
    ['lanes', count(row.lanes), '', batch.inline ? 'inline' : ''],
    ['lanes idle', row.idle === null ? null : share(row.idle, 1)],
    [
      'critical item', critical < 0 ? null : 'item ' + printable(items.at('index', critical)),
      'The item that finished last: the join waited for it.',
      critical < 0 ? '' : 'ends at ' + duration(items.start[critical] + items.took[critical])
    ],
    ['longest item', row.items > 0 ? duration(row.longest) : null, '', 'item ' + printable(batch.slowest_index)],
    ['first start after', duration(batch.first_start_delay_ns), 'From the call to the start of the first item.'],
    [
      'return after last', batch.submission ? null : duration(batch.return_after_last_finish_ns),
      'From the end of the last item to the return of the call.'
    ],
    ['peak overlap', count(batch.peak_overlap), 'The most items that were running at one moment.'],
    ['status', batch.status === 'OK' || batch.status === undefined ? null : printable(batch.status)],
    [
      'device busy', batch.device ? duration(object(batch.device).busy_ns) : null, 'Time in which at least one command ran.',
      batch.device ? 'of ' + duration(object(batch.device).wall_ns) : ''
    ],
  ]);
};

const laneLegend = (chart) => {
  const entry = (kind, text) => {
    const swatch = element('span', {class: 'swatch' + (kind === 'idle' ? ' hatched' : '')});
    if (kind === 'longest')
      swatch.style.borderBottom = '3px solid var(--ink)';
    else if (kind !== 'idle')
      swatch.style.background = `var(--${kind})`;
    return element('li', {}, swatch, text);
  };
  const has = (kind) => chart.tracks.some((tr) => tr.kind === kind && tr.places.length > 0);
  return element(
      'ul', {class: 'legend'},
      has('lane') ?
          [
            entry('time', 'item'), entry('critical', 'critical item, the last to finish'), entry('longest', 'longest item'),
            entry('idle', 'idle')
          ] :
          null,
      has('device') ? entry('device', 'item on the device') : null,
      has('command') ? entry('device-soft', 'command of the device') : null);
};

const KEYS = 'Arrow keys go from item to item and from lane to lane, c goes to the critical one, ' +
    '+ and - zoom, 0 shows the whole batch; dragging zooms to a stretch.';

class ChosenBatch {
  constructor(record) {
    this.labels = list(record.device_labels);
    this.marks = {critical: -1, longest: -1};
    this.chart = new TimeChart('lanes', laneForm(() => this.marks));
    this.title = element('h3', {id: 'chosen', 'aria-live': 'polite'});
    this.head = element('div', {});
    this.body = element('div', {});
    this.node = element('div', {}, this.title, this.head, this.body);
    this.frame = element('figure', {}, this.chart.controls(), this.chart.canvas);
  }

  show(row) {
    hideTip();
    const {batch} = row;
    this.title.replaceChildren('Batch ' + row.number + ', ', label(batch.event));
    if (!this.frame.isConnected) this.body.replaceChildren(this.frame);
    const {tracks, items} = tracksOf(batch, this.labels);
    this.marks = marksOf(items);
    this.chart.show(tracks, row.wall, markedItems(tracks, items, this.marks));
    this.head.replaceChildren(chosenTiles(row, items, this.marks));
    if (this.chart.tracks.length === 0) {
      this.body.replaceChildren(element('p', {class: 'muted', text: 'The items of this batch were not kept one by one.'}));
      return;
    }
    this.chart.canvas.setAttribute(
        'aria-label',
        'Timeline of ' + plural(items.length, 'item') + ' on ' +
            plural(this.chart.tracks.filter((tr) => tr.kind === 'lane').length, 'lane') + ' over ' + duration(row.wall) +
            (this.marks.critical >= 0 ? '; item ' + printable(items.at('index', this.marks.critical)) + ' finishes last' : '') +
            '. ' + KEYS);
    this.body.replaceChildren(
        this.frame, laneLegend(this.chart), this.chart.spot, element('p', {class: 'muted', text: KEYS}), this.lanes(batch));
    this.chart.draw();
  }

  // The table is made when it is opened: the arrow keys go through many batches.
  lanes(batch) {
    const node = details('The lanes as a table');
    node.addEventListener('toggle', () => node.children.length === 1 && node.append(laneTable(batch, this.chart)));
    return node;
  }
}

// The one that is shown at first: the longest that ran on several lanes at once, as the lanes of one tell little; if there is
// none, the longest that had several.
const tellingBatch = (rows) => {
  const several = rows.filter((row) => row.lanes > 1 && !row.batch.inline),
        overlapped = several.filter((row) => number(row.batch.peak_overlap) > 1);
  const best = [overlapped, several, rows].find((some) => some.length > 0);
  return sorted(best, (row) => row.wall, -1)[0].number;
};

const batchSection = (record) => {
  const rows = readBatches(record), chosen = new ChosenBatch(record),
        summaries = list(record.batch_summaries).length > 0 ? [summaryTable(record)] : [];
  if (rows.length === 0) return summaries;
  const batches = new BatchList(rows, (row) => chosen.show(row));
  const controls = batches.controls();
  afterwards.push(() => {
    batches.refill();
    batches.takeNumber(tellingBatch(rows));
  });
  chooseBatch = (wanted) => batches.takeNumber(wanted);
  return [
    ...summaries, element('h3', {text: 'One by one'}), element('p', {
      class: 'muted',
      text: plural(rows.length, 'batch', 'batches') + '; choose one by a click or, in the list, with the arrow keys.' +
          (number(record.dropped) > 0 ? ` Of ${record.dropped} more there are only the sums: beyond --detail-limit.` : '')
    }),
    controls, batches.node, chosen.node
  ];
};
