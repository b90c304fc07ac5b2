// SPDX-License-Identifier: BSD-3-Clause
// Tables that are sorted by their headings, and that show a part of many rows until asked for more.
// A column: {title, why, value: of a row, which sorts it, show: the value's text, row: the text of a row, bars: [{part, kind}]
// of a row, name: it holds labels, depth: how far a row's label is indented, minor: a narrow page goes without it}. Of a table
// that is wider than the page its first columns are what is seen: they are to be those that matter most.

const tableBar = (part, kind) => {
  const bar = element('span', {class: ['bar', kind, part > 0 ? null : 'nothing'].filter(Boolean).join(' ')});
  bar.style.setProperty('--part', part);
  return bar;
};
// Of one value of a row, beside the largest of all rows; none for sums below them.
const barColumn = (rows, value, kind) => {
  const most = largest(rows.map((row) => number(value(row)))), barred = new Set(rows);
  return {title: '', minor: true, bars: (row) => (barred.has(row) ? [{part: partOf(value(row), most), kind}] : [])};
};
const DEEPEST = 24;  // steps, beyond which nothing is indented further
const indent = (node, depth) => node.style.setProperty('--depth', Math.min(DEEPEST, depth));

const tableCell = (column, row) => {
  if (column.bars) {
    return element(
        'td', {class: column.minor ? 'bars minor' : 'bars'}, column.bars(row).map(({part, kind}) => tableBar(part, kind)));
  }
  const value = column.value(row);
  if (column.name) {
    const cell = element('th', {class: 'name', scope: 'row'}, label(value));
    if (column.depth) indent(cell, column.depth(row));
    return cell;
  }
  return element('td', {text: cut(column.row ? column.row(row) : column.show ? column.show(value) : value, LONGEST_NAME)});
};

const compareValues = (a, b) => {
  if (isNumber(a) && isNumber(b)) return a - b;
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? 1 : -1;
  const [one, other] = [textOf(a), textOf(b)];
  return one < other ? -1 : one > other ? 1 : 0;
};
const sorted = (rows, value, direction) => {
  const keyed = rows.map((row, place) => ({row, place, key: value(row)}));
  keyed.sort((a, b) => direction * compareValues(a.key, b.key) || a.place - b.place);
  return keyed.map(({row}) => row);
};

// What is wider than the page says so: not every reader shows a bar for scrolling.
const scrolled = (title, table) => {
  const hint = element('p', {class: 'hint', text: 'Wider than the page: scroll sideways \u2192', hidden: ''}),
        region = element('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title}, table);
  const look = () => {
    hint.hidden = region.scrollWidth <= region.clientWidth + 1;
  };
  const watch = new ResizeObserver(look);
  watch.observe(region);
  watch.observe(table);
  return [hint, region];
};

// A button that shows more of many rows, some at a time: the page stays quick.
const MORE = 1000;
const moreRows = (show) => {
  const button = element('button', {type: 'button', class: 'more'});
  button.addEventListener('click', show);
  const tell = (shown, all) => {
    button.hidden = shown >= all;
    button.textContent = all - shown > MORE ? `Show ${MORE} more of ${all}` : `Show all ${all}`;
  };
  return {button, tell};
};
const markSorted = (heading, direction) => {
  if (direction)
    heading.setAttribute('aria-sort', direction < 0 ? 'descending' : 'ascending');
  else
    heading.removeAttribute('aria-sort');
};

// Without `caption` the heading above says it.
const COLUMNS = 32;  // at most: records of a kind have few
const dataTable = (title, given, rows, {limit = 40, total = [], caption = true} = {}) => {
  const columns = given.slice(0, COLUMNS);
  let by = null, direction = -1, most = limit;
  const body = element('tbody', {}), more = moreRows(() => {
                                       most += MORE;
                                       fill();
                                     });
  const sort = (column) => {
    direction = by === column ? -direction : column.name ? 1 : -1;
    by = column;
    fill();
  };
  const headings = columns.map((column) => {
    const sortable = !column.bars && rows.length > 1;
    let name = element(sortable ? 'button' : 'span', {type: sortable ? 'button' : null, text: column.title});
    if (sortable) name.addEventListener('click', () => sort(column));
    if (column.why) name = sortable ? withTip(name, column.why) : explained(column.title, column.why);
    return element('th', {scope: 'col', class: column.name ? 'name' : column.minor ? 'minor' : null}, name);
  });
  const fill = () => {
    const order = by ? sorted(rows, by.value, direction) : rows;
    const shown = [...order.slice(0, most), ...total];
    refill(body, shown.map((row) => element('tr', {}, columns.map((column) => tableCell(column, row)))));
    headings.forEach((heading, place) => markSorted(heading, by === columns[place] ? direction : 0));
    more.tell(most, rows.length);
  };
  fill();
  const table = element(
      'table', {'aria-label': caption ? null : title, class: columns.filter(({name}) => name).length > 1 ? 'names' : null},
      caption ? element('caption', {text: title}) : null, element('thead', {}, element('tr', {}, headings)), body);
  return element('div', {}, scrolled(title, table), more.button);
};
