// SPDX-License-Identifier: BSD-3-Clause
// What contains what, as bars of one scale: the whole bar is inclusive, its full part is a node's own time. The own time of a
// node with children is what none of them explains, and stands as a row of its own after them.

const treeNodes = (entries) => {
  const nodes = entries.map((entry) => ({...entry, children: []})), byName = new Map(), roots = [];
  nodes.forEach((node) => byName.has(node.key) || byName.set(node.key, node));
  const within = (node, other) => {
    for (let steps = 0; node && steps <= nodes.length; node = node.above, steps++)
      if (node === other) return true;
    return false;
  };
  for (const node of nodes) {
    const above = node.parent === null ? undefined : byName.get(node.parent);
    if (above && above !== node && !within(above, node)) {
      node.above = above;
      above.children.push(node);
    } else
      roots.push(node);
  }
  for (const node of nodes)
    if (!isNumber(node.own)) node.own = node.total - sum(node.children.map((child) => child.total));
  return roots;
};

// {node, depth, rest} in the order of their rows; `rest` is the row of what a node's children leave.
const treeRows = (nodes, closed, depth = 0) => nodes.flatMap((node) => {
  const own = {node, depth, rest: false};
  if (node.children.length === 0 || closed.has(node)) return [own];
  const rest = node.withRest === false ? [] : [{node, depth: depth + 1, rest: true}];
  return [own, ...treeRows(node.children, closed, depth + 1), ...rest];
});

const treeBar = (node, rest, whole) => {
  const bar = element('span', {class: 'bars', role: 'gridcell', 'aria-hidden': 'true'});
  const part = (kind, ns) => {
    const span = element('span', {class: kind});
    span.style.setProperty('--part', whole > 0 ? Math.max(0, Math.min(1, ns / whole)) : 0);
    bar.append(span);
  };
  if (rest)
    part('hatched', node.own);
  else if (node.children.length === 0)
    part('own', node.total);
  else {
    part('inside', node.total - Math.max(0, node.own));
    part('hatched', node.own);
  }
  return bar;
};

const treeRow = ({node, depth, rest}, place, closed, whole) => {
  const cell = (text, kind) => element('span', {role: 'gridcell', class: kind, text});
  const name = element('span', {role: 'gridcell', class: 'name'}, label((rest ? 'unmeasured in ' : '') + printable(node.name)));
  const above = node.above ? node.above.total : 0;
  const row = element(
      'div', {role: 'row', class: rest ? 'rest' : '', tabindex: place === 0 ? '0' : '-1', 'aria-level': depth + 1}, name,
      treeBar(node, rest, whole), cell(duration(rest ? node.own : node.total)),
      cell(rest ? share(node.own, node.total) : share(node.total, above)), cell(rest ? '' : duration(node.own), 'minor'),
      cell(rest ? '' : count(node.count), 'minor'), ...(node.mean === undefined ? [] : [
        cell(rest ? '' : duration(node.mean), 'minor'), cell(rest ? '' : duration(node.min), 'minor least'),
        cell(rest ? '' : duration(node.max), 'minor least')
      ]));
  name.style.setProperty('--depth', depth);
  if (!rest && node.children.length > 0) row.setAttribute('aria-expanded', closed.has(node) ? 'false' : 'true');
  return row;
};

const treeHead = (mean) => element(
    'div', {role: 'row'},
    ...[['name', 'name'], ['bars', ''], ['', 'total'], ['', 'of parent'], ['minor', 'own'], ['minor', 'count'],
        ...(mean ? [['minor', 'mean'], ['minor least', 'min'], ['minor least', 'max']] : [])]
        .map(([kind, text]) => element('span', {role: 'columnheader', class: kind, text})));

const timeTree = (title, entries) => {
  const roots = treeNodes(entries), mean = entries.length > 0 && entries[0].mean !== undefined;
  const whole = largest(entries.map((entry) => entry.total)), closed = new Set();
  const grid = element('div', {role: 'treegrid', class: mean ? 'tree' : 'tree short', 'aria-label': title});
  let rows = [], nodes = [];
  const focus = (place) => {
    const chosen = Math.max(0, Math.min(rows.length - 1, place));
    rows.forEach((row, other) => row.setAttribute('tabindex', other === chosen ? '0' : '-1'));
    rows[chosen].focus();
  };
  const toggle = (place, close) => {
    const {node, rest} = nodes[place];
    if (rest || node.children.length === 0 || closed.has(node) === close) return false;
    if (close)
      closed.add(node);
    else
      closed.delete(node);
    fill();
    focus(place);
    return true;
  };
  const parentOf = (place) => {
    for (let above = place - 1; above >= 0; above--)
      if (nodes[above].depth < nodes[place].depth) return above;
    return place;
  };
  const keys = {
    ArrowDown: (place) => focus(place + 1),
    ArrowUp: (place) => focus(place - 1),
    Home: () => focus(0),
    End: () => focus(rows.length - 1),
    ArrowRight: (place) =>
        toggle(place, false) || (nodes[place].node.children.length > 0 && !nodes[place].rest && focus(place + 1)),
    ArrowLeft: (place) => toggle(place, true) || focus(parentOf(place)),
    Enter: (place) => toggle(place, !closed.has(nodes[place].node)),
    ' ': (place) => toggle(place, !closed.has(nodes[place].node)),
  };
  const fill = () => {
    nodes = treeRows(roots, closed);
    rows = nodes.map((entry, place) => treeRow(entry, place, closed, whole));
    grid.replaceChildren(treeHead(mean), ...rows);
  };
  grid.addEventListener('keydown', (event) => {
    const place = rows.indexOf(document.activeElement);
    if (place < 0 || !keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key](place);
  });
  grid.addEventListener('click', (event) => {
    const place = rows.indexOf(event.target.closest('[role=row]'));
    if (place >= 0 && !toggle(place, !closed.has(nodes[place].node))) focus(place);
  });
  // Many rows start closed below the second step.
  if (entries.length > 300)
    treeRows(roots, closed).forEach(({node, depth}) => depth >= 1 && node.children.length > 0 && closed.add(node));
  fill();
  return grid;
};
