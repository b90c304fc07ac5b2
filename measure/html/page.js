// SPDX-License-Identifier: BSD-3-Clause
const record = JSON.parse(document.getElementById('record').textContent);
const main = document.getElementById('main');
const add = (parent, tag, text) => {
  const node = parent.appendChild(document.createElement(tag));
  if (text !== undefined) node.textContent = text;
  return node;
};
add(main, 'p', ((record.run && record.run.command_line) || []).join(' '));
const table = add(main, 'table');
for (const event of record.events || []) {
  const row = add(table, 'tr');
  add(row, 'td', event.name);
  add(row, 'td', event.count);
  add(row, 'td', (event.total_ns / 1e6).toFixed(3) + ' ms');
}
