// SPDX-License-Identifier: BSD-3-Clause
// The sweeps of a DMRG run: how the energy comes down, how long each took, how the bond grows.

const POINTS_SHOWN = 500;  // at most, evenly taken of more sweeps
const sweepChart = (sweeps, {title, value, show, log, bars}) => {
  const size = chartSize(3, 190), values = sweeps.map(value), isKnown = (one) => isNumber(one) && (log ? one > 0 : one >= 0),
        known = values.filter(isKnown);
  if (known.length === 0) return null;
  const most = largest(known), least = log ? smallest(known) : 0, floor = log && least === most ? least / 10 : least;
  const x = linearScale(0.5, sweeps.length + 0.5, size.left, size.width - size.right);
  const y = log ? logScale(floor, most, size.height - size.bottom, size.top) :
                  linearScale(0, niceTop(most), size.height - size.bottom, size.top);
  const whole = ticks(1, sweeps.length, 8).filter(Number.isInteger), stride = Math.ceil(sweeps.length / POINTS_SHOWN),
        width = Math.max(1, (x(1 + stride) - x(1)) * 0.7);
  const chart = chartFrame(
      `${title} of ${plural(sweeps.length, 'sweep')}: first ${show(values[0])}, last ${show(values[values.length - 1])}`,
      {ticks: whole, at: x, show: count, title: 'sweep'}, {
        ticks: log ? logTicks(floor, most).slice(-7) : ticks(0, niceTop(most), 4),
        at: y,
        show: (tick) => (log ? tick.toExponential(0) : show(tick, true)),
        title
      },
      size);
  const marks = values
                    .map((one, place) => ({
                           x: x(place + 1),
                           y: isKnown(one) ? y(one) : size.height - size.bottom,
                           known: isKnown(one),
                           text: `sweep ${place + 1}: ${show(one)}`
                         }))
                    .filter((mark, place) => place % stride === 0 || place === values.length - 1);
  const nodes = marks.filter((mark) => mark.known)
                    .map(
                        (mark) => chart.appendChild(
                            bars ? shape('rect', {
                              class: 'mark',
                              x: mark.x - width / 2,
                              y: mark.y,
                              width,
                              height: size.height - size.bottom - mark.y
                            }) :
                                   shape('circle', {class: 'mark', cx: mark.x, cy: mark.y, r: 3.5})));
  if (!bars)
    chart.append(shape('path', {
      class: 'trace',
      d: marks.filter((mark) => mark.known).map((mark, place) => (place ? 'L' : 'M') + mark.x + ',' + mark.y).join('')
    }));
  const drawn = marks.filter((mark) => mark.known);
  return withMarks(chart, marks, (mark) => nodes.forEach((node, place) => node.classList.toggle('now', drawn[place] === mark)));
};

const nanoseconds = (seconds) => (isNumber(seconds) ? 1e9 * seconds : null);
const sweepTable = (title, sweeps, caption = true) => {
  const columns = [
    {title: 'sweep', value: (sweep) => sweep.place, show: count},
    {title: 'to', value: (sweep) => (number(sweep.direction) > 0 ? 'right' : 'left')},
    {title: 'energy', value: (sweep) => sweep.energy, show: (value) => (isNumber(value) ? value.toFixed(12) : '-')},
    {title: 'm', why: 'The largest dimension of a bond.', value: (sweep) => sweep.max_bond, show: count},
    {
      title: 'discarded',
      why: 'The largest discarded weight of a bond.',
      value: (sweep) => sweep.max_discarded,
      show: (value) => (isNumber(value) ? digits(value, 3) : '-')
    },
    {title: 'time', value: (sweep) => nanoseconds(sweep.seconds), show: duration},
    {title: 'CPU time', value: (sweep) => nanoseconds(sweep.cpu_seconds), show: duration},
    {title: 'products', value: (sweep) => sweep.products, show: count},
  ];
  return dataTable(title, columns, sweeps, {caption});
};

const sweepSection = (record) => {
  const numbered = (sweeps) => objects(sweeps).map((sweep, place) => ({...sweep, place: place + 1})),
        sweeps = numbered(record.sweeps), steady = numbered(record.steady);
  const charts =
      [
        {
          title: 'change of the energy from the sweep before',
          log: true,
          show: (value) => (isNumber(value) ? digits(value, 3) : '-'),
          value: (sweep, place) =>
              (place > 0 && isNumber(sweep.energy) && isNumber(sweeps[place - 1].energy) ?
                   Math.abs(sweep.energy - sweeps[place - 1].energy) :
                   null)
        },
        {
          title: 'time',
          bars: true,
          value: (sweep) => nanoseconds(sweep.seconds),
          show: (value, axis) => (axis ? brief(value) : duration(value))
        },
        {title: 'bond dimension m', bars: true, value: (sweep) => sweep.max_bond, show: count},
      ].map((form) => sweepChart(sweeps, form))
          .filter(Boolean);
  return [
    element('div', {class: 'side'}, charts.map((chart) => element('figure', {}, chart))), sweepTable('Sweeps', sweeps, false),
    steady.length ? sweepTable('Further sweeps in the steady state', steady) : null
  ];
};
