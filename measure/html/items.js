// SPDX-License-Identifier: BSD-3-Clause
// How long the items of an event took, beside what their cost estimate says.

const A_DECADE = 10, POINTS = 40000;
const SHORTEST = 1e-3;  // ns, below which no prediction is one

// Numbers of items by [least, most) of bins that are equal on a logarithmic scale; values: [[ns, count]].
const logBins = (values, first, bins) => {
  const found = new Array(bins).fill(0);
  for (const [ns, times] of values) {
    const bin = Math.floor(A_DECADE * Math.log10(Math.max(1, ns)) + 1e-9) - first;
    if (bin >= 0 && bin < bins) found[bin] += times;
  }
  return found;
};
const binEdge = (bin) => 10 ** (bin / A_DECADE);

// Below which that part of the values lies, between neighbours where it falls between.
const quantile = (values, part) => {
  const ordered = [...values].sort((a, b) => a - b), place = part * (ordered.length - 1), below = Math.floor(place),
        above = Math.min(below + 1, ordered.length - 1);
  return ordered[below] + (place - below) * (ordered[above] - ordered[below]);
};

// Nanoseconds that fitted costs predict for an item, from the values of its terms; null where none were fitted.
const fittedFor = (record, event) => {
  const terms = objects(object(objects(object(record.costs).events).find((one) => one.name === event)).terms);
  if (terms.length === 0) return null;
  return (items, place) => 1e9 *
      sum(terms.map(({name, seconds}) => number(seconds) * number(list(object(items.terms)[textOf(name)])[place])));
};

const itemsOf = (record, event) =>
    objects(record.batches).filter((batch) => batch.event === event).map((batch) => object(batch.items));
// {points: [[predicted, seen]], fitted} of an event's items that were kept, at most POINTS of them, evenly taken. Without a fit
// the cost estimates are scaled by the median of seen over estimated: one item that was preempted does not move all others.
const predictions = (record, event) => {
  const kept = itemsOf(record, event);
  const withTerms = kept.filter((items) => items.terms), fitted = withTerms.length ? fittedFor(record, event) : null,
        points = [];
  const usable = fitted ? withTerms : kept.filter((items) => list(items.cost).length > 0);
  const lengthOf = (items) => list(items.duration_ns).length;
  const stride = Math.max(1, Math.ceil(sum(usable.map(lengthOf)) / POINTS));
  let place = 0;
  for (const items of usable) {
    for (; place < lengthOf(items); place += stride)
      points.push([fitted ? fitted(items, place) : number(items.cost[place]), number(items.duration_ns[place])]);
    place -= lengthOf(items);
  }
  const positive = points.filter(([cost, ns]) => cost > 0 && ns > 0);
  const unit = fitted || positive.length === 0 ? 1 : quantile(positive.map(([cost, ns]) => ns / cost), 0.5);
  const scaled = positive.map(([cost, ns]) => [cost * unit, ns]).filter(([cost]) => cost > SHORTEST && isNumber(cost));
  return {points: scaled, fitted: fitted !== null};
};
// [[ns, how many]]: from the record's histogram, or from the items that were kept.
const seenDurations = (record, summary) => {
  const counted = list(summary.item_histogram_ns).length ?
      summary.item_histogram_ns.map(list) :
      itemsOf(record, summary.event).flatMap((items) => numbers(items.duration_ns).map((ns) => [ns, 1]));
  return counted.filter(([ns, times]) => isNumber(ns) && number(times) > 0);
};

const stepPath = (bins, x, y, first) =>
    bins.map(
            (times, bin) =>
                `${bin ? 'L' : 'M'}${x(binEdge(first + bin))},${y(times)}L${x(binEdge(first + bin + 1))},${y(times)}`)
        .join('');

// Labels at one place are one; what stands close to another goes on a row of its own, so that each is read.
const labelRows = (labels) => {
  const ends = [], joined = [];
  for (const {name, at} of labels) {
    const last = joined[joined.length - 1];
    if (last && at - last.at < 3)
      last.name += ', ' + name;
    else
      joined.push({name, at});
  }
  return joined.map(({name, at}) => {
    const half = LETTER * name.length / 2 + 3, free = ends.findIndex((end) => end <= at - half);
    const row = free < 0 ? ends.length : free;
    ends[row] = at + half;
    return {name, at, row};
  });
};
const labelLine = (row) => 28 + 15 * row;
const drawLabels = (chart, labels, width, floor) => {
  labels.forEach(
      ({at, row}) => chart.append(shape('line', {class: 'rule', x1: at, x2: at, y1: labelLine(row) + 4, y2: floor})));
  labels.forEach(({name, at, row}) => {
    const half = LETTER * name.length / 2, x = Math.min(width - half, at);
    chart.append(shape('text', {class: 'strong', x, y: labelLine(row), 'text-anchor': 'middle', text: name}));
  });
};

const histogram = (event, seen, predicted, percentiles) => {
  const all = [...seen, ...predicted].map(([ns]) => Math.max(1, ns)), least = smallest(all), most = largest(all);
  const first = Math.floor(A_DECADE * Math.log10(least) + 1e-9),
        bins = Math.floor(A_DECADE * Math.log10(most) + 1e-9) - first + 1;
  const counts = logBins(seen, first, bins), total = sum(counts),
        weight = predicted.length ? total / sum(predicted.map(([, times]) => times)) : 0;
  const estimates = predicted.length ? logBins(predicted, first, bins).map((times) => times * weight) : [];
  const {width, left, right} = chartSize(2, 0), x = logScale(binEdge(first), binEdge(first + bins), left, width - right);
  const labels = labelRows(
      percentiles.map(([name, ns]) => ({name, at: x(Math.max(binEdge(first), Math.min(binEdge(first + bins), ns)))})));
  const size = chartSize(2, 230, labelLine(largest(labels.map(({row}) => row + 1)))), top = largest([...counts, ...estimates]);
  const y = linearScale(0, niceTop(top), size.height - size.bottom, size.top);
  const chart = chartFrame(
      `Histogram of the durations of ${total} items of ${cut(event, LONGEST_NAME)}, from ${brief(least)} to ${brief(most)}`,
      {ticks: logTicks(binEdge(first), binEdge(first + bins)), at: x, show: brief, title: 'duration of an item'},
      {ticks: ticks(0, niceTop(top), 4).filter(Number.isInteger), at: y, show: count, title: 'items'}, size);
  const bars = counts.map((times, bin) => chart.appendChild(shape('rect', {
    class: 'mark',
    x: x(binEdge(first + bin)) + 0.5,
    y: y(times),
    width: Math.max(0.5, x(binEdge(first + bin + 1)) - x(binEdge(first + bin)) - 1),
    height: y(0) - y(times)
  })));
  if (estimates.length) chart.append(shape('path', {class: 'trace estimate', d: stepPath(estimates, x, y, first)}));
  drawLabels(chart, labels, width, y(0));
  const marks =
      counts
          .map((times, bin) => ({
                 bar: bars[bin],
                 x: x(binEdge(first + bin + 0.5)),
                 y: y(times),
                 text: `${brief(binEdge(first + bin))} to ${brief(binEdge(first + bin + 1))}: ${plural(times, 'item')}` +
                     (estimates.length ? `\nestimated: ${digits(estimates[bin], 3)}` : '')
               }))
          .filter((mark, bin) => counts[bin] > 0 || estimates[bin] > 0);
  return withMarks(chart, marks, (mark) => bars.forEach((bar) => bar.classList.toggle('now', !!mark && mark.bar === bar)));
};

// Seen against predicted, both logarithmic: the more points in a cell the fuller its colour. On the line both are equal.
const scatter = (event, points) => {
  const size = chartSize(2, 300), all = points.flat(), cells = new Map(),
        CELL = points.length > 3000 ? 4 :
      points.length > 300           ? 6 :
                                      8;
  const least = smallest(all) / 1.1, most = largest(all) * 1.1;
  const x = logScale(least, most, size.left, size.width - size.right),
        y = logScale(least, most, size.height - size.bottom, size.top);
  const chart = chartFrame(
      `Seen against predicted durations of ${points.length} items of ${cut(event, LONGEST_NAME)}`,
      {ticks: logTicks(least, most), at: x, show: brief, title: 'predicted'},
      {ticks: logTicks(least, most), at: y, show: brief, title: 'seen'}, size);
  for (const [predicted, seen] of points) {
    const key = Math.floor(x(predicted) / CELL) * 4096 + Math.floor(y(seen) / CELL);
    cells.set(key, (cells.get(key) || 0) + 1);
  }
  const most_in = Math.log(1 + largest([...cells.values()]));
  for (const [key, times] of cells)
    chart.append(shape('rect', {
      class: 'mark',
      x: Math.floor(key / 4096) * CELL,
      y: (key % 4096) * CELL,
      width: CELL - 1,
      height: CELL - 1,
      opacity: (0.35 + 0.65 * Math.log(1 + times) / most_in).toFixed(3)
    }));
  chart.append(shape('line', {class: 'rule', x1: x(least), y1: y(least), x2: x(most), y2: y(most)}));
  return chart;
};

const ratioText = (points, fitted) => {
  const ratios = points.map(([predicted, seen]) => predicted / seen);
  const [low, middle, high] = [0.1, 0.5, 0.9].map((part) => digits(quantile(ratios, part), 3));
  return fitted ? `Predicted over seen: ${middle} in the middle, ${low} to ${high} for eight of ten items.` :
                  `Estimates are scaled to be right in the middle; over seen: ${low} to ${high} for eight of ten items.`;
};

const PERCENTILES = [['p50', 'item_p50_ns'], ['p90', 'item_p90_ns'], ['p99', 'item_p99_ns'], ['p99.9', 'item_p999_ns']];

const itemCharts = (record, summary) => {
  const {points, fitted} = predictions(record, summary.event);
  const seen = seenDurations(record, summary);
  if (seen.length === 0) return [element('p', {class: 'muted', text: 'Of this event no item was timed one by one.'})];
  const percentiles = PERCENTILES.filter(([, key]) => isNumber(summary[key])).map(([name, key]) => [name, summary[key]]);
  const caption = (number(summary.submissions) > 0 ? 'Times of items that only submit to a device are the host\u2019s. ' : '') +
      (percentiles.length ? percentiles.map(([name, ns]) => name + ' ' + duration(ns)).join(', ') + '. ' : '');
  const estimated = points.length ?
      element(
          'ul', {class: 'legend'}, element('li', {}, swatchOf('time'), 'seen'),
          element(
              'li', {}, swatchOf('estimate'),
              fitted ? 'predicted by fitted costs' : 'cost estimate, scaled so that half of the items took longer')) :
      null;
  return [element(
      'div', {class: 'side'},
      element(
          'div', {}, estimated, figure(caption, histogram(summary.event, seen, points.map(([ns]) => [ns, 1]), percentiles))),
      points.length ? figure(
                          ratioText(points, fitted) +
                              (points.length < number(summary.completed) ? ` From ${points.length} items that were kept.` : ''),
                          scatter(summary.event, points)) :
                                                                           null)];
};
const swatchOf = (kind) => {
  const swatch = element('span', {class: 'swatch'});
  swatch.style.background = `var(--${kind})`;
  return swatch;
};

const itemSection = (record) => {
  const summaries = objects(record.batch_summaries).filter((summary) => number(summary.completed) > 0);
  const order = sorted(summaries, (summary) => summary.item_total_ns, -1), body = element('div', {});
  const choice = element('select', {id: 'item-event'}, choices(order.map(({event}, place) => ({value: place, text: event}))));
  const show = () => body.replaceChildren(...itemCharts(record, order[Number(choice.value)]));
  choice.addEventListener('change', show);
  show();
  return [element('div', {class: 'controls'}, element('label', {}, 'Items of', choice)), body];
};
