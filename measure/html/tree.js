// SPDX-License-Identifier: BSD-3-Clause
// What contains what, as bars of one scale: the whole bar is inclusive. What a node's children leave of it stands in rows of
// its own after them: {name, ns, whole: what its share is of, kind: of its bar}.

const unmeasured = (node) =>
    ({name: 'unmeasured in ' + printable(node.name), ns: node.own, whole: node.total, kind: 'hatched'});
const restsOfPhase = (node) => (node.children.length > 0 ? [unmeasured(node)] : []);

// A node that stands above itself is a root: the way up from each ends.
const cutCircles = (nodes) => nodes.forEach((from, walk) => {
  for (let node = from; node && node.walk === undefined; node = node.above) {
    node.walk = walk;
    if (node.above && node.above.walk === walk) node.above = null;
  }
});
// An entry whose own time is null has none that is known. Its share is its total's, or that of its part where it has one.
const treeNodes = (entries, restsOf) => {
  const nodes = entries.map((entry) => ({part: entry.total, ...entry, children: []})), byKey = new Map();
  nodes.forEach((node) => byKey.has(node.key) || byKey.set(node.key, node));
  for (const node of nodes) node.above = node.parent === null ? null : byKey.get(node.parent) || null;
  cutCircles(nodes);
  for (const node of nodes)
    if (node.above) node.above.children.push(node);
  for (const node of nodes)
    if (node.own !== null && !isNumber(node.own)) node.own = node.total - sum(node.children.map((child) => child.total));
  for (const node of nodes) node.rests = restsOf(node);
  return nodes.filter((node) => !node.above);
};

const opens = (node) => node.children.length > 0 || node.rests.length > 0;

// {node, depth, rest} in the order of their rows; `rest` is null in a node's own. However deep: without recursion.
const treeRows = (roots, closed) => {
  const rows = [], waiting = [];
  const wait = (nodes, depth) => {
    for (let place = nodes.length - 1; place >= 0; place--) waiting.push({node: nodes[place], depth, rest: null});
  };
  wait(roots, 0);
  while (waiting.length > 0) {
    const row = waiting.pop(), {node, depth, rest} = row;
    rows.push(row);
    if (rest || closed.has(node)) continue;
    waiting.push(...node.rests.map((one) => ({node, depth: depth + 1, rest: one})).reverse());
    wait(node.children, depth + 1);
  }
  return rows;
};

const treeBar = (node, rest, whole) => {
  const bar = element('span', {class: 'bars', role: 'gridcell', 'aria-hidden': 'true'});
  const part = (kind, ns) => {
    const span = element('span', {class: kind});
    span.style.setProperty('--part', partOf(ns, whole));
    bar.append(span);
  };
  if (rest)
    part(rest.kind, rest.ns);
  else if (!opens(node))
    part('own', node.total);
  else {
    part('inside', node.total - Math.max(0, node.own));
    part('hatched', node.own);
  }
  return bar;
};

// The share of a node without a parent is of the whole that it has.
const treeRow = ({node, depth, rest}, place, closed, whole) => {
  const cell = (text, kind) => element('span', {role: 'gridcell', class: kind, text});
  const name = element('span', {role: 'gridcell', class: 'name'}, label(rest ? rest.name : node.name));
  const row = element(
      'div', {role: 'row', class: rest ? 'rest' : '', tabindex: place === 0 ? '0' : '-1', 'aria-level': depth + 1}, name,
      treeBar(node, rest, whole), cell(duration(rest ? rest.ns : node.total)),
      cell(rest ? share(rest.ns, rest.whole) : share(node.part, node.above ? node.above.total : node.whole)),
      cell(rest ? '' : duration(node.own), 'minor'), cell(rest ? '' : count(node.count), 'minor'),
      cell(rest ? '' : duration(node.mean), 'minor'), cell(rest ? '' : duration(node.min), 'minor least'),
      cell(rest ? '' : duration(node.max), 'minor least'));
  indent(name, depth);
  if (!rest && opens(node)) row.setAttribute('aria-expanded', closed.has(node) ? 'false' : 'true');
  return row;
};

const treeHead = () => element('div', {role: 'row'}, [
  ['name', 'name'], ['bars', ''], ['', 'total'], ['', 'of parent'], ['minor', 'own'], ['minor', 'count'], ['minor', 'mean'],
  ['minor least', 'min'], ['minor least', 'max']
].map(([kind, text]) => element('span', {role: 'columnheader', class: kind, text})));

// Trees of more rows than MANY start closed below the second step, and show as many at first.
const MANY = 300;
// `last`: what is left of the whole that all roots are of, if that is to have a row.
const timeTree = (title, entries, {restsOf = restsOfPhase, last = null} = {}) => {
  const roots = treeNodes(entries, restsOf), closed = new Set(),
        whole = largest([...entries.map((entry) => entry.total), last ? last.ns : 0]);
  let most = MANY;
  const grid = element('div', {role: 'treegrid', class: 'tree', 'aria-label': title});
  let rows = [], nodes = [];
  const focus = (place) => {
    const chosen = Math.max(0, Math.min(rows.length - 1, place));
    rows.forEach((row, other) => row.setAttribute('tabindex', other === chosen ? '0' : '-1'));
    rows[chosen].focus();
  };
  const toggle = (place, close) => {
    const {node, rest} = nodes[place];
    if (rest || !opens(node) || closed.has(node) === close) return false;
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
    ArrowRight: (place) => toggle(place, false) || (!nodes[place].rest && opens(nodes[place].node) && focus(place + 1)),
    ArrowLeft: (place) => toggle(place, true) || focus(parentOf(place)),
    Enter: (place) => toggle(place, !closed.has(nodes[place].node)),
    ' ': (place) => toggle(place, !closed.has(nodes[place].node)),
  };
  const more = moreRows(() => {
    most += MORE;
    fill();
  });
  const fill = () => {
    const all = [...treeRows(roots, closed), ...(last ? [{node: null, depth: 0, rest: last}] : [])];
    nodes = all.slice(0, most);
    rows = nodes.map((entry, place) => treeRow(entry, place, closed, whole));
    refill(grid, [treeHead(), rows]);
    more.tell(most, all.length);
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
  if (entries.length > MANY) treeRows(roots, closed).forEach(({node, depth}) => depth >= 1 && opens(node) && closed.add(node));
  fill();
  return element('div', {}, grid, more.button);
};
