// How values came about: the steps of the walk of a measure

const TITLES = {
  t2i: [['rank', 'rank'], ['document', 'document'], ['span', 'finds'], ['waste', 'after'], ['hits', 'hits'], ['precision', 'hits / rank'], ['adds', 'adds']],
  watch: [['rank', 'rank'], ['V', 'V (new)'], ['W', 'W (watched)'], ['recall', 'recall'], ['precision', 'V / W'], ['best', 'best from here'], ['adds', 'adds']],
  users: [['tau', 'patience tau'], ['value', 'value']],
  documents: [['rank', 'rank'], ['document', 'document'], ['P', 'P'], ['R', 'R'], ['F', 'F'], ['gP', 'gP'], ['weight', 'weight'], ['adds', 'adds']],
};
function drawWhy() {
  const measure = head.measures[state.measure];
  const whys = now.data.runs.map((run, i) => {
    const why = run.explained[state.measure];
    const title = el('h3', {}, badge(i), `${head.runs[i]}: ${head.values[state.measure][i][state.query].toFixed(4)}`);
    if (!why) return el('section', {}, title, el('p', {className: 'soft'}, now.data.R ? 'This measure is shown as its value only.' : 'Nothing is relevant.'));
    return el('section', {}, title, el('p', {}, why.sentence), Object.values(why.columns)[0].length ? steps(why, i) : '');
  });
  $('why').replaceChildren(el('summary', {}, `How ${measure.name} comes about`), el('p', {className: 'soft'}, measure.text),
    el('div', {className: 'whys'}, ...whys));
}
function steps({kind, columns}, run) {
  const ranks = columns.rank;
  if (kind === 'users') {
    return table(kind, columns.tau.map((tau, i) => el('tr', {}, el('td', {}, String(tau)), el('td', {}, figure(columns.value[i])))), columns);
  }
  const documents = columns.document || ranks.map(rank => now.items[run][rank - 1].doc);
  const cell = (name, i) => {
    const unit = unitOf(kind === 'documents' ? columns.document[i] : now.items[run][ranks[i] - 1].doc);
    if (name === 'document') return head.documents[kind === 'documents' ? columns.document[i] : now.items[run][ranks[i] - 1].doc];
    if (name === 'span') return `${place(columns.start[i], unit)}–${place(columns.end[i], unit)}`;
    if (['waste', 'V', 'W'].includes(name)) return columns[name][i].toLocaleString('en', {maximumFractionDigits: 1});
    if (name === 'precision' && kind === 't2i') return `${columns.hits[i]}/${ranks[i]} = ${figure(columns[name][i])}`;
    return Number.isInteger(columns[name][i]) && ['rank', 'hits'].includes(name) ? String(columns[name][i]) : figure(columns[name][i]);
  };
  const rows = ranks.map((rank, i) => {
    const target = kind === 'documents' ? now.documents.get(documents[i]).best[run] : rank;
    return el('tr', {data: {rank: target, run}}, ...titles(kind, columns).map(([name]) =>
      el('td', {className: name === 'document' ? 'left' : ''}, cell(name, i))));
  });
  const steps = table(kind, rows, columns);
  steps.onclick = event => {
    const row = event.target.closest('tr[data-rank]');
    if (row) goTo(+row.dataset.run, +row.dataset.rank);
  };
  return steps;
}
const titles = (kind, columns) => TITLES[kind].filter(([name]) => name !== 'adds' || columns.adds);
function table(kind, rows, columns) {
  const cells = titles(kind, columns).map(([name, title]) => el('th', {className: name === 'document' ? 'left' : ''}, title));
  return el('table', {className: 'steps', tabIndex: 0}, el('thead', {}, el('tr', {}, ...cells)), el('tbody', {}, ...rows));
}
