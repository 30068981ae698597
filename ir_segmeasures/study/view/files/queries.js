// The list of queries

function difference(query) {
  const values = head.values[state.measure];
  return values[state.pair[1]][query] - values[state.pair[0]][query];
}
function sortKey(query) {
  if (state.sort === 'query') return query;
  return state.sort === 'difference' ? difference(query) : head.values[state.measure][state.sort][query];
}
function found(query) {
  const words = `${head.queries[query]} ${head.texts[query]}`.toLowerCase();
  return state.filter.split(/\s+/).every(word => words.includes(word));
}
function sorted() {
  const sign = state.down ? -1 : 1;
  return head.queries.map((_, query) => query).filter(found).sort((a, b) => sign * (sortKey(a) - sortKey(b)) || a - b);
}
function sortBy(sort, down) {
  [state.sort, state.down] = [sort, down];
  drawList();
  $('list').scrollTop = 0;
}
function column(sort, label, title) {
  const active = state.sort === sort;
  const button = el('button', {title, data: {sort}}, label + (active ? state.down ? ' ↓' : ' ↑' : ''));
  button.onclick = () => sortBy(sort, active ? !state.down : sort !== 'query');
  return el('th', active ? {'aria-sort': state.down ? 'descending' : 'ascending'} : {}, button);
}
function drawList() {
  const several = head.runs.length > 1;
  const cells = [column('query', 'Query', 'In the order of the judgements')];
  head.runs.forEach((name, run) => cells.push(column(run, letter(run), `By ${head.measures[state.measure].name} of ${name}`)));
  const pair = `${letter(state.pair[1])} − ${letter(state.pair[0])}`;
  if (several) cells.push(column('difference', pair, 'By the difference between the two runs'));
  document.querySelector('#list thead').replaceChildren(el('tr', {}, ...cells));
  const sizes = head.queries.map((_, query) => Math.abs(difference(query))), most = Math.max(...sizes);
  document.querySelector('#list tbody').replaceChildren(...sorted().map(query => {
    const id = el('a', {href: '#' + encodeURIComponent(head.queries[query])}, head.queries[query]);
    const row = el('tr', {data: {query}}, el('td', {}, id, head.texts[query] ? el('small', {title: head.texts[query]}, head.texts[query]) : ''));
    row.append(...valueCells(run => head.values[state.measure][run][query]));
    row.title = several && most && sizes[query] === most ? 'the greatest difference' : '';
    return row;
  }));
  drawMeans();
  markQuery();
  showColumn();
}
function showColumn() {
  // The column that is sorted by comes in sight, beside that of the queries, which stays there.
  const list = $('list'), active = document.querySelector('#list th[aria-sort]');
  if (!active.previousSibling) return;
  const left = list.getBoundingClientRect().left, box = active.getBoundingClientRect();
  const over = box.right - left - list.clientWidth, under = box.left - left - list.querySelector('th').offsetWidth;
  list.scrollLeft += over > 0 ? over : Math.min(0, under);
}
function valueCells(value) {
  const cells = head.runs.map((_, run) => el('td', {}, value(run).toFixed(3)));
  if (head.runs.length > 1) {
    const gain = value(state.pair[1]) - value(state.pair[0]), sign = Math.abs(gain) < 5e-4 ? '' : gain > 0 ? '+' : '−';
    const better = head.measures[state.measure].lower ? gain < 0 : gain > 0;
    cells.push(el('td', {className: sign ? better ? 'better' : 'worse' : ''}, sign + Math.abs(gain).toFixed(3)));
  }
  return cells;
}
function drawMeans() {
  const shown = sorted(), all = head.queries.length;
  const mean = run => shown.reduce((sum, query) => sum + head.values[state.measure][run][query], 0) / shown.length;
  const label = !shown.length ? 'No query is like this' : shown.length === all ? `Mean of ${all}` : `Mean of ${shown.length} of ${all}`;
  document.querySelector('#list tfoot').replaceChildren(el('tr', {}, el('th', {scope: 'row'}, label), ...(shown.length ? valueCells(mean) : [])));
}
function markQuery() {
  for (const row of document.querySelectorAll('#list tbody tr')) {
    const chosen = +row.dataset.query === state.query;
    row.classList.toggle('chosen', chosen);
    if (chosen) row.setAttribute('aria-current', 'true'); else row.removeAttribute('aria-current');
    if (chosen) row.scrollIntoView({block: 'nearest'});
  }
}

// A query

let wanted = -1;  // the query that was asked for last
async function open(query) {
  if (query === wanted) return;
  wanted = query;
  Object.assign(state, {query, rank: 0, zoom: 1});
  const columns = data.queries[query];
  now = {data: columns, documents: new Map(), ranks: RANKS};
  const reach = (entry, start, end) => { entry.extent = Math.max(entry.extent, end === Infinity ? start : end); };
  const position = number => number === null ? Infinity : number / columns.scale;
  for (const [doc, first, last, relevant] of columns.judged) {
    const start = position(first), end = position(last), entry = entryOf(doc);
    entry.judged.push({start, end, relevant});
    entry.relevant = entry.relevant || relevant > 0;
    reach(entry, start, end);
  }
  now.items = columns.runs.map(({document, start: starts, length}, run) => document.map((doc, i) => {
    const start = position(starts[i]), end = length[i] === null ? Infinity : position(starts[i] + length[i]), entry = entryOf(doc);
    const found = {run, rank: i + 1, doc, start, end, parts: []};
    entry.items[run].push(found);
    entry.best[run] = Math.min(entry.best[run], i + 1);
    reach(entry, start, end);
    return found;
  }));
  columns.runs.forEach(({parts}, run) => parts.rank.forEach((rank, i) => {
    now.items[run][rank - 1].parts.push({start: position(parts.start[i]), end: position(parts.start[i] + parts.length[i]), kind: PARTS[parts.kind[i]]});
  }));
  now.longest = new Map();  // by units
  for (const entry of now.documents.values()) {
    entry.extent = entry.extent || 1;
    now.longest.set(unitOf(entry.doc), Math.max(entry.extent, now.longest.get(unitOf(entry.doc)) || 0));
  }
  const hash = '#' + encodeURIComponent(head.queries[query]);
  if (location.hash !== hash) history.replaceState(null, '', hash);
  markQuery();
  hideItem();
  drawQuery();
  $('query').scrollTop = 0;
}
const PARTS = {n: 'new', c: 'continued', r: 'repeated'};
function entryOf(doc) {
  if (!now.documents.has(doc)) {
    now.documents.set(doc, {doc, extent: head.lengths[doc] || 0, judged: [], relevant: false,
      items: head.runs.map(() => []), best: head.runs.map(() => Infinity)});
  }
  return now.documents.get(doc);
}
function walk() {
  // Of the measure chosen where it has that user, else of the first that has.
  const has = measure => head.measures[measure].tau !== null;
  const measure = has(state.measure) ? state.measure : head.measures.findIndex((_, i) => has(i));
  if (measure < 0) return null;
  const found = now.data.runs.map(run => {
    const byRank = new Map(), columns = run.explained[measure] && run.explained[measure].columns;
    if (columns && columns.rank) columns.rank.forEach((rank, i) => {
      if (!byRank.has(rank)) byRank.set(rank, []);
      byRank.get(rank).push({start: columns.start[i], end: columns.end[i], waste: columns.waste[i]});
    });
    return byRank;
  });
  return {...head.measures[measure], found};
}
function limits() {
  // Those that count items as they are drawn, and their lengths.
  const {items, params, budget} = head.measures[state.measure], drawn = !params.condensed;
  return {cutoff: items && drawn ? params.cutoff : null, budget: drawn && params.user !== 'rel' ? params[budget] : null,
    overhead: params.overhead || 0};
}
function stopOf(run) {
  // Where the user of the measure stops: the last rank, and the position in this item at which a budget is spent.
  const {cutoff, budget, overhead} = limits();
  let left = budget ?? Infinity;
  for (const {rank, doc, start, end} of now.items[run]) {
    left -= overhead;
    if (left <= end - start && end < Infinity) return {rank, doc, position: start + Math.max(0, left)};
    if (rank === cutoff) return rank < now.items[run].length ? {rank} : null;
    left -= end - start;
  }
  return null;
}
const isBehind = item => now.stops[item.run] && item.rank > now.stops[item.run].rank;
function stopLine() {
  if (now.stops.every(stop => !stop)) return '';
  const {budget, cutoff} = limits(), unit = unitOf(now.items.flat()[0].doc);
  const ends = now.stops.map((stop, run) => `${letter(run)} ` + (!stop ? 'after its last item' : `at rank ${stop.rank}`
    + (stop.doc === undefined ? '' : `, ${place(stop.position, unitOf(stop.doc))}`)));
  const both = [budget ? `the budget of ${amount(budget, unit)}` : '', cutoff ? `the cutoff of ${cutoff}` : ''].filter(text => text);
  return el('p', {id: 'stop', className: 'soft'}, budget ? el('i', {className: 'swatch stop'}) : '',
    `The user stops at ${both.join(' or ')}${budget ? ': ' + ends.join('; ') : ''}. Pale items are not read.`);
}
function drawQuery() {
  const query = state.query, main = $('query');
  now.walk = walk();
  now.stops = head.runs.map((_, run) => stopOf(run));
  const relevant = [...now.documents.values()].filter(entry => entry.relevant).length;
  const spans = now.data.judged.filter(span => span[3]), unit = spans.length ? unitOf(spans[0][0]) : null;
  const length = spans.reduce((sum, [, start, end]) => sum + end - start, 0) / now.data.scale;
  const facts = spans.length ? `${spans.length} relevant span${spans.length > 1 ? 's' : ''} in ${relevant} document${relevant > 1 ? 's' : ''}, ${amount(length, unit)} of relevant content` : 'No relevant content: 0 but for measures with silence=True';
  const back = el('button', {className: 'back', onclick: () => document.body.className = 'at-list'}, '← Queries');
  main.replaceChildren(back, el('h2', {}, head.queries[query]),
    head.texts[query] ? el('p', {className: 'text'}, head.texts[query]) : '', el('p', {className: 'soft'}, facts), cut(),
    valueTable(), el('details', {id: 'why', open: state.why}), tools(), stopLine(), el('div', {id: 'documents'}));
  $('why').ontoggle = () => { state.why = $('why').open; };
  drawWhy();
  drawDocuments();
}
function cut() {
  // What is left out of the drawing, so that a page stays as large as a browser can draw.
  const unknown = now.data.runs.map(({known, document}, run) => known < document.length ? `${letter(run)}: ${known} of ${document.length}` : '').filter(text => text);
  return unknown.length ? el('p', {className: 'soft cut'}, `The parts of items that are relevant are drawn for the first ranks alone, since there are too many (${unknown.join('; ')}).`) : '';
}
function valueTable() {
  const rows = head.measures.map((measure, i) => {
    const values = head.runs.map((_, run) => head.values[i][run][state.query]);
    const best = measure.lower ? Math.min(...values) : Math.max(...values);
    const name = el('button', {title: measure.text, onclick: () => { setMeasure(i); state.why = $('why').open = true; }}, measure.name);
    const why = run => now.data.runs[run].explained[i];
    return el('tr', {className: i === state.measure ? 'chosen' : ''}, el('th', {scope: 'row'}, name), ...values.map((value, run) =>
      el('td', {className: value === best && new Set(values).size > 1 ? 'best' : '', title: why(run) ? why(run).sentence : measure.text}, value.toFixed(4))));
  });
  const names = head.runs.map((name, run) => el('th', {scope: 'col', title: name}, badge(run), el('span', {className: 'name'}, name)));
  return el('table', {className: 'values'}, el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'Measure'), ...names)), el('tbody', {}, ...rows));
}
function tools() {
  const order = el('select', {id: 'order'}, el('option', {value: -1}, 'best rank in any run'),
    ...head.runs.map((name, run) => el('option', {value: run}, `rank in ${letter(run)}: ${name}`)));
  order.value = state.order;
  order.onchange = () => { state.order = +order.value; drawDocuments(); };
  const pressed = (id, name, label, title) => el('button', {id, 'aria-pressed': state[name], onclick: () => toggle(name), title}, label);
  const only = pressed('only', 'relevant', 'Only with relevant content', 'r');
  const scale = pressed('scale', 'scale', 'One scale', 'One scale for all documents, or for each its own, as wide as the page (s)');
  const zoom = el('span', {className: 'zoom'}, el('button', {onclick: () => setZoom(state.zoom / 2), title: 'Shorter (−)', 'aria-label': 'Shorter'}, '−'),
    el('output', {id: 'zoom'}, state.zoom + '×'), el('button', {onclick: () => setZoom(state.zoom * 2), title: 'Longer (+)', 'aria-label': 'Longer'}, '+'));
  const legend = el('span', {className: 'legend'}, ...Object.keys(head.legend).map(kind => sign(kind)));
  const several = head.runs.length > 1;
  const side = several ? pressed('side', 'side', `${letter(state.pair[0])} beside ${letter(state.pair[1])}`, 'Two runs side by side, by rank (b)') : '';
  return el('div', {className: 'tools'}, side, ...(state.side ? [] : [several ? el('label', {}, 'By ', order) : '', only, scale, zoom]), legend);
}
