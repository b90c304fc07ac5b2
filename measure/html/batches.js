// SPDX-License-Identifier: BSD-3-Clause
// The batches: sums by event, and a list to choose one from, of which only the lines in sight are in the page.

const LINE = 28;  // pixels, as in the style sheet

const batchColumns = [
  {key: 'number', title: 'batch', show: count},
  {key: 'event', title: 'event', name: true},
  {key: 'wall', title: 'wall', show: duration},
  {key: 'longest', title: 'longest item', show: duration, minor: true},
  {key: 'idle', title: 'idle', show: (value) => share(value, 1)},
  {key: 'lanes', title: 'lanes', show: count, minor: true},
  {key: 'items', title: 'items', show: count, minor: true},
  {key: 'status', title: 'status', minor: true},
  {key: 'begin', title: 'begins at', show: duration, minor: true},
];

const readBatches = (record) => {
  const batches = objects(record.batches), first = smallest(batches.map((batch) => number(batch.begin_ns, Infinity)));
  const origin = number(object(record.clock).origin_ns, Number.isFinite(first) ? first : 0);
  return batches.map((batch, place) => {
    const lanes = number(batch.lanes), wall = number(batch.wall_ns), busy = number(batch.item_total_ns);
    return {
      batch,
      number: number(batch.number, place),
      event: printable(batch.event),
      wall,
      longest: number(batch.item_max_ns),
      lanes,
      busy,
      idle: batch.submission || !(lanes * wall > 0) ? null : Math.max(0, 1 - busy / (lanes * wall)),
      items: number(batch.completed),
      status: batch.inline ? printable(batch.status) + ', inline' : printable(batch.status),
      begin: isNumber(batch.begin_ns) ? batch.begin_ns - origin : null,
    };
  });
};

const batchLine = (row, place, top, chosen, id) => {
  const line = element(
      'div', {role: 'row', class: 'line', id, 'aria-rowindex': place + 2, 'aria-selected': chosen ? 'true' : 'false'},
      batchColumns.map((column) => element('span', {
                         role: 'gridcell',
                         class: column.name ? 'name' :
                             column.minor   ? 'minor' :
                                              null,
                         title: column.name ? cut(row[column.key], LONGEST_TIP) : null,
                         text: column.show ? column.show(row[column.key]) : cut(row[column.key], LONGEST_TIP)
                       })));
  line.style.top = top + 'px';
  return line;
};

// `choose` gets the row of the chosen batch.
class BatchList {
  constructor(rows, choose) {
    this.all = rows;
    this.choose = choose;
    this.by = batchColumns[2];
    this.direction = -1;
    this.event = '';
    this.place = 0;
    this.node = element('div', {class: 'list', role: 'grid', tabindex: '0', 'aria-label': 'Batches', id: 'batch-list'});
    this.head =
        element('div', {role: 'row', class: 'head', 'aria-rowindex': 1}, batchColumns.map((column) => this.heading(column)));
    this.lines = element('div', {role: 'rowgroup', style: 'position: relative'});
    this.node.append(this.head, this.lines);
    this.node.addEventListener('scroll', () => this.draw());
    this.node.addEventListener('keydown', (event) => this.key(event));
    this.lines.addEventListener('click', (event) => {
      const line = event.target.closest('.line');
      if (line) this.take(Number(line.getAttribute('aria-rowindex')) - 2);
    });
    whenChanged(this.node, () => this.draw());
  }

  heading(column) {
    const button =
        element('button', {type: 'button', text: column.title, 'aria-label': 'sort by ' + column.title, tabindex: '-1'});
    button.addEventListener('click', () => this.sortBy(column));
    return element('span', {role: 'columnheader', class: column.name ? 'name' : column.minor ? 'minor' : null}, button);
  }

  sortBy(column, direction) {
    this.direction = direction || (this.by === column ? -this.direction : column.name || column.key === 'number' ? 1 : -1);
    this.by = column;
    this.sort.value = column.key + ' ' + this.direction;
    this.refill();
  }

  refill() {
    const rows = this.event === '' ? this.all : this.all.filter((row) => row.event === this.event);
    this.rows = sorted(rows, (row) => row[this.by.key], this.direction);
    this.node.setAttribute('aria-rowcount', this.rows.length + 1);
    this.lines.style.height = this.rows.length * LINE + 'px';
    [...this.head.children].forEach(
        (heading, place) => markSorted(heading, batchColumns[place] === this.by ? this.direction : 0));
    this.node.scrollTop = 0;
    this.take(0);
  }

  take(place) {
    if (this.rows.length === 0) {
      this.draw();
      return;
    }
    this.place = Math.max(0, Math.min(this.rows.length - 1, place));
    const top = this.place * LINE, sight = this.node.clientHeight - this.head.offsetHeight;
    if (top < this.node.scrollTop)
      this.node.scrollTop = top;
    else if (top + LINE > this.node.scrollTop + sight)
      this.node.scrollTop = top + LINE - sight;
    this.draw();
    this.choose(this.rows[this.place]);
  }

  key(event) {
    const page = Math.max(1, Math.floor((this.node.clientHeight - this.head.offsetHeight) / LINE));
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
    if (event.target !== this.node || !(event.key in steps)) return;
    event.preventDefault();
    this.take(this.place + steps[event.key]);
  }

  draw() {
    const first = Math.max(0, Math.floor(this.node.scrollTop / LINE) - 4);
    const last = Math.min(this.rows.length, first + Math.ceil(this.node.clientHeight / LINE) + 8);
    const lines = [];
    for (let place = first; place < last; place++)
      lines.push(batchLine(this.rows[place], place, place * LINE, place === this.place, 'batch-line-' + place));
    this.lines.replaceChildren(...lines);
    this.node.setAttribute('aria-activedescendant', 'batch-line-' + this.place);
  }

  // The batch of that number, if the filter has it.
  takeNumber(wanted) {
    if (!this.rows.some((row) => row.number === wanted) && this.all.some((row) => row.number === wanted)) {
      this.event = '';
      this.filter.value = '';
      this.refill();
    }
    const place = this.rows.findIndex((row) => row.number === wanted);
    if (place >= 0) this.take(place);
  }

  controls() {
    const events = [...new Set(this.all.map((row) => row.event))],
          words = (column, way) =>
              column.show ? (way < 0 ? ', largest first' : ', smallest first') : (way < 0 ? ', from Z' : ', from A');
    this.filter = element(
        'select', {id: 'batch-event'}, element('option', {value: '', text: 'every event'}),
        choices(events.map((name) => ({value: name, text: name}))));
    this.filter.addEventListener('change', () => {
      this.event = this.filter.value;
      this.refill();
    });
    this.sort = element(
        'select', {id: 'batch-sort'},
        batchColumns.flatMap(
            (column) => [-1, 1].map(
                (way) => element('option', {value: column.key + ' ' + way, text: column.title + words(column, way)}))));
    this.sort.value = this.by.key + ' ' + this.direction;
    this.sort.addEventListener('change', () => {
      const [key, way] = this.sort.value.split(' ');
      this.sortBy(batchColumns.find((column) => column.key === key), Number(way));
    });
    return element(
        'div', {class: 'controls'}, element('label', {}, 'Show', this.filter), element('label', {}, 'Sort by', this.sort));
  }
}

const imbalanceColumn = {
  title: 'imbalance',
  why: 'The busiest lane over the mean of the lanes that took part, summed over the batches: 1 is perfect.',
  value: (row) => row.imbalance,
  show: (value) => (isNumber(value) ? value.toFixed(2) : '-')
};
const slowestColumn = {
  title: 'batch / item',
  why: 'The batch with the longest item, by its number, and that item.',
  value: (row) => object(row.slowest).batch,
  row: (row) => (row.slowest ? count(object(row.slowest).batch) + ' / ' + count(object(row.slowest).index) : '-')
};
const summaryTable = (record) => {
  const rows = objects(record.batch_summaries), has = (key) => rows.some((row) => isNumber(row[key]));
  const times = (key, title, why) => (has(key) ? [{title, why, value: (row) => row[key], show: duration}] : []);
  return dataTable(
      'Batches of each event',
      [
        {title: 'event', name: true, value: (row) => row.event},
        {title: 'wall', value: (row) => row.wall_ns, show: duration},
        barColumn(rows, (row) => row.wall_ns),
        {
          title: 'lanes idle',
          why: 'Share of the lanes\u2019 wall time in which no item ran. None for items that only submit to a device.',
          value: (row) => row.idle_share,
          show: (value) => share(value, 1)
        },
        {title: 'longest item', value: (row) => row.item_max_ns, show: duration},
        ...(rows.some((row) => row.slowest) ? [slowestColumn] : []),
        {title: 'batches', value: (row) => row.batches, show: count},
        {
          title: 'inline',
          why: 'Batches that ran on the caller\u2019s lane alone.',
          value: (row) => row.ran_inline,
          show: count
        },
        {title: 'items', value: (row) => row.completed, show: count},
        ...(has('imbalance') ? [imbalanceColumn] : []),
        ...times('item_p50_ns', 'p50', 'Half of the items took no longer.'),
        ...times('item_p99_ns', 'p99', 'All but one in a hundred items took no longer.'),
        {title: 'item total', value: (row) => row.item_total_ns, show: duration},
      ],
      rows);
};
