// SPDX-License-Identifier: BSD-3-Clause
// One tooltip for the page, for the pointer and for the keyboard; Escape hides it.

const tipNode = element('div', {id: 'tip', role: 'tooltip', hidden: ''});

let tipAt = {node: null, x: 0, y: 0, gap: 0};

const placeTip = () => {
  const {node, x, y, gap} = tipAt, at = node.getBoundingClientRect(), box = tipNode.getBoundingClientRect();
  const last = document.documentElement.clientWidth - box.width - 4, above = at.top + y - box.height - gap;
  const left = Math.max(4, Math.min(at.left + x - box.width / 2, last)), top = above > 4 ? above : at.top + y + gap + 8;
  tipNode.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
};
// At a point of a node, in pixels from its corner.
const showTip = (text, node, x, y, gap) => {
  tipNode.textContent = text;
  tipNode.hidden = false;
  tipAt = {node, x, y, gap};
  placeTip();
};
const hideTip = () => {
  tipNode.hidden = true;
};
addEventListener('keydown', (event) => event.key === 'Escape' && hideTip());
// What gets the focus may scroll into sight, and its tooltip goes with it.
addEventListener('scroll', () => !tipNode.hidden && (document.activeElement === tipAt.node ? placeTip() : hideTip()), true);

const withTip = (node, text) => {
  const show = () => {
    showTip(text, node, Math.min(node.offsetWidth, 300) / 2, 0, 6);
    node.setAttribute('aria-describedby', 'tip');
  };
  const hide = () => {
    hideTip();
    node.removeAttribute('aria-describedby');
  };
  node.addEventListener('pointerenter', show);
  node.addEventListener('pointerleave', hide);
  node.addEventListener('focus', show);
  node.addEventListener('blur', hide);
  return node;
};
const explained = (name, why) => withTip(element('span', {class: 'explained', tabindex: '0', text: name}), why);

// Marks of a chart: the pointer or the arrow keys choose one, whose text is shown. marks: [{x, y, text}] in the chart's pixels.
const withMarks = (chart, marks, highlight) => {
  let now = -1;
  const scale = () => chart.getBoundingClientRect().width / chart.viewBox.baseVal.width;
  const show = (index) => {
    now = index;
    showTip(marks[now].text, chart, marks[now].x * scale(), marks[now].y * scale(), 12);
    chart.setAttribute('aria-describedby', 'tip');
    highlight(marks[now]);
  };
  const hide = () => {
    hideTip();
    highlight(null);
  };
  const steps = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -marks.length, End: marks.length};
  chart.setAttribute('tabindex', '0');
  chart.addEventListener('keydown', (event) => {
    if (!(event.key in steps) || marks.length === 0) return;
    event.preventDefault();
    show(Math.max(0, Math.min(marks.length - 1, now + steps[event.key])));
  });
  chart.addEventListener('pointermove', (event) => {
    const x = (event.clientX - chart.getBoundingClientRect().left) / scale();
    const near = marks.reduce(
        (best, mark, index) => (best < 0 || Math.abs(mark.x - x) < Math.abs(marks[best].x - x) ? index : best), -1);
    if (near >= 0) show(near);
  });
  chart.addEventListener('pointerleave', hide);
  chart.addEventListener('blur', hide);
  return chart;
};
