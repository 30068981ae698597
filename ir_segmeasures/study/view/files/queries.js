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
let block = {};  // the queries that were read with it
async function open(query) {
  if (query === wanted) return;
  wanted = query;
  const first = query - query % head.together;
  if (first !== block.first) block = {first, queries: read('queries-' + first)};
  const data = (await block.queries)[query - first];
  if (query !== wanted) return;
  Object.assign(state, {query, rank: 0, zoom: 1});
  now = {data, documents: new Map(), ranks: RANKS};
  const reach = (entry, start, end) => { entry.extent = Math.max(entry.extent, end === Infinity ? start : end); };
  data.judged.document.forEach((doc, i) => {
    const start = data.judged.start[i], end = data.judged.end[i] === null ? Infinity : data.judged.end[i];
    const entry = entryOf(doc), relevant = data.judged.relevant[i];
    entry.judged.push({start, end, relevant});
    entry.relevant = entry.relevant || relevant > 0;
    reach(entry, start, end);
  });
  let known = 0;
  const seen = [];  // the segments that were there before, by their last items
  const places = data.runs.map(columns => columns.place.values());
  now.items = data.runs.map((columns, run) => columns.seen.map((before, i) => {
    const segment = before ? seen.splice(places[run].next().value, 1)[0] : known++;
    seen.push(segment);
    const doc = data.segments.document[segment], start = data.segments.start[segment], length = data.segments.length[segment];
    const end = length === null ? Infinity : Math.round((start + length) * 1000) / 1000, entry = entryOf(doc);
    const item = {run, rank: i + 1, doc, start, end, parts: []};
    entry.items[run].push(item);
    entry.best[run] = Math.min(entry.best[run], i + 1);
    reach(entry, start, end);
    return item;
  }));
  data.runs.forEach(({parts}, run) => parts.rank.forEach((rank, i) => {
    const item = now.items[run][rank - 1], from = item.parts.length ? item.parts[item.parts.length - 1].end : item.start;
    const span = now.documents.get(item.doc).judged.find(({end, relevant}) => relevant && end > from);
    const start = parts.start[i] ?? Math.max(from, span.start), end = parts.end[i] ?? Math.min(item.end, span.end);
    item.parts.push({start, end, kind: head.parts[parts.kind[i]]});
  }));
  data.runs.forEach(({explained}, run) => Object.values(explained).forEach(({columns}) => {
    if (columns.document === null) columns.document = columns.rank.map(rank => now.items[run][rank - 1].doc);
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
    if (columns) columns.rank.forEach((rank, i) => {
      if (!byRank.has(rank)) byRank.set(rank, []);
      byRank.get(rank).push({start: columns.start[i], end: columns.end[i], waste: columns.waste[i]});
    });
    return byRank;
  });
  return {...head.measures[measure], found};
}
function drawQuery() {
  const {data} = now, query = state.query, main = $('query');
  now.walk = walk();
  const relevant = [...now.documents.values()].filter(entry => entry.relevant).length;
  const unit = data.judged.document.length ? unitOf(data.judged.document[0]) : null;
  const facts = data.R ? `${data.R} relevant span${data.R > 1 ? 's' : ''} in ${relevant} document${relevant > 1 ? 's' : ''}, ${amount(data.T, unit)} of relevant content` : 'No relevant content: every measure is 0';
  const back = el('button', {className: 'back', onclick: () => document.body.className = 'at-list'}, '← Queries');
  main.replaceChildren(back, el('h2', {}, head.queries[query]),
    head.texts[query] ? el('p', {className: 'text'}, head.texts[query]) : '', el('p', {className: 'soft'}, facts),
    valueTable(), el('details', {id: 'why', open: state.why}), tools(), el('div', {id: 'documents'}));
  $('why').ontoggle = () => { state.why = $('why').open; };
  drawWhy();
  drawDocuments();
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
