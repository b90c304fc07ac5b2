// SPDX-License-Identifier: BSD-3-Clause
// Elements, numbers as the text table writes them, and colours. Text of a record enters the page as text alone.

// Appends one by one: as arguments of one call many children would not fit on the stack.
const adopt = (node, children) => {
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined) node.append(child);
  return node;
};
const refill = (node, children) => {
  node.replaceChildren();
  return adopt(node, children);
};
const add = (node, attributes, children) => {
  for (const [key, value] of Object.entries(attributes || {}))
    if (key === 'text')
      node.textContent = value;
    else if (value !== null && value !== undefined)
      node.setAttribute(key, value);
  return adopt(node, children);
};
// A child is a node, a text, a list of these, or nothing.
const element = (tag, attributes, ...children) => add(document.createElement(tag), attributes, children);
const shape = (tag, attributes, ...children) =>
    add(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

const list = (value) => (Array.isArray(value) ? value : []);
const object = (value) => (value && typeof value === 'object' && !Array.isArray(value) ? value : {});
const objects = (value) => list(value).map(object);
// What is larger is no measurement, and sums of such numbers would have no end.
const MEASURABLE = 1e30;
const isNumber = (value) => typeof value === 'number' && Math.abs(value) < MEASURABLE;
const number = (value, otherwise = 0) => (isNumber(value) ? value : otherwise);
const numbers = (value) => list(value).map((one) => number(one));
const sum = (values) => values.reduce((total, value) => total + value, 0);
const largest = (values) => values.reduce((most, value) => (value > most ? value : most), 0);
const smallest = (values) => values.reduce((least, value) => Math.min(least, value), Infinity);
const partOf = (part, whole) => (whole > 0 ? Math.max(0, Math.min(1, number(part) / whole)) : 0);

const textOf = (value) => value === null || value === undefined ? '-' :
    typeof value === 'object'                                   ? (Array.isArray(value) ? '[...]' : '{...}') :
                                                                  String(value);
// Control characters as \xNN, as in the text table; those that turn the order of letters, and with it that of the figures
// beside a name, as \uNNNN.
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const hexOf = (mark) => {
  const code = mark.charCodeAt(0), short = code < 0x100;
  return (short ? '\\x' : '\\u') + code.toString(16).padStart(short ? 2 : 4, '0');
};
const printable = (value) => textOf(value).replace(HIDDEN, hexOf);
// At most so many letters, none of them halved.
const cut = (value, most) => {
  const text = printable(value);
  return text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, '') + '\u2026' : text;
};
const LONGEST_LABEL = 4000, LONGEST_TIP = 1000, LONGEST_NAME = 80;  // letters
// A label of a record; it may break after what joins words in names.
const label = (value, most = LONGEST_LABEL) => {
  const text = cut(value, most);
  return element(
      'bdi', {title: text.length > LONGEST_NAME ? cut(value, LONGEST_TIP) : null},
      text.split(/(?<=[_:\/,])/).flatMap((part, place) => (place ? [element('wbr'), part] : [part])));
};

const LONGEST_TIME = 2 ** 63;  // ns, what a clock can tell
const duration = (value) => {
  if (!isNumber(value)) return '-';
  if (Math.abs(value) > LONGEST_TIME) return digits(value / 1e9, 4) + ' s';
  const sign = value < 0 ? '-' : '', ns = Math.round(Math.abs(value));
  if (ns < 1000) return sign + ns + ' ns';
  const units = [['\u00b5s', 1e3], ['ms', 1e6], ['s', 1e9]];
  let unit = 0, thousandths = ns;
  while (thousandths >= 1000000 && unit < 2) {
    unit++;
    thousandths = Math.floor((ns + units[unit][1] / 2000) / (units[unit][1] / 1000));
  }
  return sign + Math.floor(thousandths / 1000) + '.' + String(thousandths % 1000).padStart(3, '0') + ' ' + units[unit][0];
};
const digits = (value, places) => String(Number(value.toPrecision(places)));
// For axes and prose: at most three digits.
const brief = (ns) => {
  if (ns === 0) return '0';
  const units = [['s', 1e9], ['ms', 1e6], ['\u00b5s', 1e3]];
  const unit = units.find(([, size]) => Math.abs(ns) >= 0.9995 * size) || ['ns', 1];
  return digits(ns / unit[1], 3) + ' ' + unit[0];
};
const share = (part, whole) => (isNumber(part) && isNumber(whole) && whole > 0 ? (100 * part / whole).toFixed(1) + ' %' : '-');
const bytes = (value) => {
  if (!isNumber(value)) return '-';
  const units = [['GB', 1e9], ['MB', 1e6], ['kB', 1e3]], unit = units.find(([, size]) => value >= size);
  return unit ? digits(value / unit[1], 3) + ' ' + unit[0] : value + ' B';
};
const count = (value) => (isNumber(value) ? String(value) : '-');
const plural = (value, one, many = one + 's') => value + ' ' + (value === 1 ? one : many);
// A member by the unit in its name; what is nested deeper than records are is not followed.
const measure = (key, value, depth = 0) => {
  if (isNumber(value) && /_ns$/.test(key)) return duration(value);
  if (isNumber(value) && /(^|_)seconds$/.test(key)) return duration(1e9 * value);
  if (isNumber(value) && /(^|_)bytes$/.test(key)) return bytes(value);
  if (isNumber(value) && !Number.isInteger(value)) return String(Number(value.toPrecision(13)));
  if (Array.isArray(value) && depth < 8)
    return value.length ? value.map((one) => measure('', one, depth + 1)).join(', ') : 'none';
  if (value && typeof value === 'object' && depth < 8)
    return Object.entries(value).map(([name, one]) => name + ' ' + measure(name, one, depth + 1)).join(', ');
  if (value === true || value === false) return value ? 'yes' : 'no';
  return printable(value);
};

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
// What is drawn on a canvas is drawn again when the width or the colours change.
const redrawn = [];
const whenChanged = (node, draw) => redrawn.push({node, draw});
const redraw = () => redrawn.forEach(({node, draw}) => node.isConnected && draw());
let pending = 0;
const redrawSoon = () => {
  cancelAnimationFrame(pending);
  pending = requestAnimationFrame(redraw);
};
addEventListener('resize', redrawSoon);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawSoon);

const FACTS = 500;  // at most
const facts = (pairs) => {
  const rows = pairs.filter(([, value]) => value !== null && value !== undefined && value !== ''),
        shown = rows.length > FACTS ? [...rows.slice(0, FACTS), ['\u2026', `${rows.length - FACTS} more`]] : rows;
  return element(
      'dl', {class: 'facts'},
      shown.flatMap(
          ([name,
            value]) => [element('dt', {}, label(name)), element('dd', {}, value instanceof Node ? value : label(value))]));
};
// Choices of a list, each {value, text}: no more than one can look through.
const CHOICES = 1000;
const choices = (all) =>
    all.slice(0, CHOICES).map(({value, text}) => element('option', {value, text: cut(text, LONGEST_NAME)}));
// pairs: [name, value, why, beside]; without a value there is no tile.
const tiles = (pairs) => element(
    'dl', {class: 'tiles'},
    pairs.filter((pair) => pair && pair[1] !== null)
        .map(
            ([name, value, why, beside]) => element(
                'div', {}, element('dt', {}, why ? explained(name, why) : name),
                element(
                    'dd', {}, element('span', {text: cut(value, LONGEST_NAME)}),
                    beside ? [' ', element('small', {text: cut(beside, LONGEST_NAME)})] : null))));
const details = (title, ...children) => element('details', {}, element('summary', {text: title}), ...children);
