// SPDX-License-Identifier: BSD-3-Clause
// One tooltip for the page, for the pointer and for the keyboard; Escape hides it.

const tipNode = element('div', {id: 'tip', role: 'tooltip', hidden: ''});

const showTip = (text, x, y, gap = 12) => {
  tipNode.textContent = text;
  tipNode.hidden = false;
  const box = tipNode.getBoundingClientRect();
  const left = Math.max(4, Math.min(x - box.width / 2, document.documentElement.clientWidth - box.width - 4));
  const above = y - box.height - gap;
  tipNode.style.transform = `translate(${Math.round(left)}px, ${Math.round(above > 4 ? above : y + gap + 8)}px)`;
};
const hideTip = () => {
  tipNode.hidden = true;
};
addEventListener('keydown', (event) => event.key === 'Escape' && hideTip());
addEventListener('scroll', hideTip, true);

// `text` is a text or gives one when it is asked for.
const withTip = (node, text) => {
  const show = () => {
    const box = node.getBoundingClientRect();
    showTip(typeof text === 'function' ? text() : text, box.left + Math.min(box.width, 300) / 2, box.top, 6);
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
  const show = (index) => {
    now = index;
    const box = chart.getBoundingClientRect(),
          scale = box.width / number(chart.viewBox && chart.viewBox.baseVal.width, box.width) || 1;
    showTip(marks[now].text, box.left + marks[now].x * scale, box.top + marks[now].y * scale);
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
    const box = chart.getBoundingClientRect(),
          scale = box.width / number(chart.viewBox && chart.viewBox.baseVal.width, box.width) || 1;
    const x = (event.clientX - box.left) / scale;
    const near = marks.reduce(
        (best, mark, index) => (best < 0 || Math.abs(mark.x - x) < Math.abs(marks[best].x - x) ? index : best), -1);
    if (near >= 0) show(near);
  });
  chart.addEventListener('pointerleave', hide);
  chart.addEventListener('blur', hide);
  return chart;
};
