// How values came about: the steps of the walk of a measure

function drawWhy() {
  const measure = head.measures[state.measure];
  const whys = now.data.runs.map((run, i) => {
    const why = run.explained[state.measure];
    const title = el('h3', {}, badge(i), `${head.runs[i]}: ${head.values[state.measure][i][state.query].toFixed(4)}`);
    if (!why) return el('section', {}, title, el('p', {className: 'soft'}, 'This measure is shown as its value only.'));
    return el('section', {}, title, el('p', {}, why.sentence), why.number ? steps(why, i) : '',
      why.number > head.mostSteps ? el('p', {className: 'soft cut'}, `The first ${head.mostSteps} of ${why.number} steps.`) : '');
  });
  $('why').replaceChildren(el('summary', {}, `How ${measure.name} comes about`), el('p', {className: 'soft'}, measure.text),
    el('div', {className: 'whys'}, ...whys));
}
const LENGTHS = ['waste', 'V', 'W', 'relevant', 'retrieved'];
const COUNTS = ['rank', 'document_rank', 'bin_rank', 'hits', 'timeouts', 'levels', 'tau', 'iou', 'weight', 'support'];
function steps({columns}, run) {
  // The columns are those of the measure's own steps; the end of a segment stands beside its start.
  const ends = {start: 'end', window: 'window_end'};
  const names = Object.keys(columns).filter(name => !Object.values(ends).includes(name));
  const cell = (name, i) => {
    const value = columns[name][i], unit = columns.document && unitOf(columns.document[i]);
    if (value === null) return '';
    if (name === 'document') return head.names[value];
    const end = ends[name] && columns[ends[name]];
    if (end) return `${place(value, unit)}–${end[i] === null ? '' : place(end[i], unit)}`;
    if (typeof value === 'string') return value;
    if (name === 'entry' || name === 'bep') return place(value, unit);
    if (LENGTHS.includes(name)) return value.toLocaleString('en', {maximumFractionDigits: 1});
    if (name === 'precision' && columns.hits) return `${columns.hits[i]}/${(columns.bin_rank || columns.rank)[i]} = ${figure(value)}`;
    return COUNTS.includes(name) ? String(value) : figure(value);
  };
  const left = name => ({className: ['document', 'aspects', 'nugget'].includes(name) ? 'left' : ''});
  const rows = columns[names[0]].map((_, i) => el('tr', columns.rank ? {data: {rank: columns.rank[i], run}} : {},
    ...names.map(name => el('td', left(name), cell(name, i)))));
  const titles = names.map(name => el('th', left(name), head.titles[name] || name));
  const steps = el('table', {className: 'steps', tabIndex: 0}, el('thead', {}, el('tr', {}, ...titles)), el('tbody', {}, ...rows));
  steps.onclick = event => {
    const row = event.target.closest('tr[data-rank]');
    if (row) goTo(+row.dataset.run, +row.dataset.rank);
  };
  return steps;
}
