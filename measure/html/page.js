// SPDX-License-Identifier: BSD-3-Clause
// Reads the record and draws the sections that it has something for.

const afterwards = [];  // what needs its place in the page, done when all stands there
let chooseBatch = () => {};

const some = (key) => (record) => list(record[key]).length > 0;
const recorderSections = [
  ['Phases', 'phases', some('events'), phaseSection],
  ['The run in time', 'run', (record) => list(object(record.timeline).event).length > 0, runSection],
  ['Batches', 'batches', (record) => some('batches')(record) || some('batch_summaries')(record), batchSection],
  ['Items', 'items', (record) => objects(record.batch_summaries).some((summary) => number(summary.completed) > 0), itemSection],
  ['Fitted costs', 'costs', (record) => list(object(record.costs).events).length > 0, costSection],
  ['Operations', 'operations', (record) => hasProfile(record) || estimatedOperations(record).length > 0, operationSection],
  ['Hooks', 'hooks', (record) => list(object(record.hooks).events).length > 0, hookSection],
  ['Device', 'device', (record) => Object.keys(object(record.device)).length > 0, deviceSection],
  ['Sweeps', 'sweeps', some('sweeps'), sweepSection],
];
const sectionsOf =
    (record) => [['Summary', 'summary', () => true, summarySection],
                 ...(record.kind === 'kokkos' ? kokkosSections.map(([title, id, draw]) => [title, id, some(id), draw]) :
                                                recorderSections)]
                    .filter(([, , has]) => has(record));

const drawSection = (record, [title, id, , draw]) => {
  let content;
  try {
    content = draw(record);
  } catch (error) {
    content = [element('p', {class: 'note', text: 'This part of the record cannot be drawn: ' + error.message})];
  }
  return element('section', {id, 'aria-labelledby': id + '-title'}, element('h2', {id: id + '-title', text: title}), content);
};

const drawHead = (record, sections) => {
  const run = object(record.run),
        name = run.program === undefined ? (record.kind === 'kokkos' ? 'Kokkos program' : 'Record of a run') : run.program;
  document.title = cut(name, LONGEST_NAME) + ', Tactus report';
  return element(
      'header', {}, element('h1', {}, label(name)), element('p', {
        class: 'muted',
        text: ['Tactus report', run.version, run.date, run.host]
                  .filter((one) => typeof one === 'string')
                  .map((one) => cut(one, LONGEST_NAME))
                  .join(' \u00b7 ')
      }),
      element(
          'nav', {'aria-label': 'Sections'},
          element('ul', {}, sections.map(([title, id]) => element('li', {}, element('a', {href: '#' + id, text: title}))))));
};

const drawPage = () => {
  const main = document.getElementById('main');
  let record;
  try {
    record = JSON.parse(document.getElementById('record').textContent);
    if (object(record) !== record) throw new Error('it is no JSON object');
  } catch (error) {
    main.append(
        element('h1', {text: 'Tactus report'}),
        element('p', {class: 'note', text: 'The record cannot be read: ' + error.message}));
    return;
  }
  const sections = sectionsOf(record);
  document.body.prepend(drawHead(record, sections));
  main.append(
      ...sections.map((section) => drawSection(record, section)),
      element('footer', {}, element('p', {
                class: 'muted',
                text: 'One file, no network; the record is in it, in JSON, in the element with the id \u201crecord\u201d.'
              })));
  document.body.append(tipNode);
  afterwards.forEach((act) => act());
};
drawPage();
