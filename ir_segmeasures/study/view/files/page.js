'use strict';
// All text comes in through textContent, and nothing is ever read as HTML.
const read = id => JSON.parse(document.getElementById(id).textContent);
const $ = id => document.getElementById(id);
const head = read('head');
const state = {
  query: -1, measure: 0, sort: 'query', down: false, pair: [0, head.runs.length > 1 ? 1 : 0],
  run: 0, rank: 0, zoom: 1, relevant: false, order: -1, why: false,
};
let now = null;  // what is shown of the query
const address = text => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));  // half a character has none

function el(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key === 'data') Object.assign(element.dataset, value);
    else if (key === 'style') Object.assign(element.style, value);
    else if (key in element && key !== 'list') element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter(child => child !== null));
  return element;
}

const letter = run => run < 26 ? String.fromCharCode(65 + run) : String(run + 1);
const badge = run => el('span', {className: 'letter', title: head.runs[run]}, letter(run));
const unitOf = doc => Array.isArray(head.units) ? head.units[doc] : head.units;
const figure = value => value === null ? '∞' : value.toFixed(4);

function place(position, unit, fine = true) {
  if (position === null || position === Infinity) return 'end';
  if (unit !== 't') return position.toLocaleString('en', {maximumFractionDigits: fine ? 3 : 0});
  const tenths = fine ? Math.round(position * 10) / 10 : Math.round(position);
  const hours = Math.floor(tenths / 3600), minutes = Math.floor(tenths / 60) % 60;
  const seconds = (Math.round(tenths % 60 * 10) / 10).toString();
  const [whole, fraction] = seconds.split('.');
  return (hours ? hours + ':' + String(minutes).padStart(2, '0') : minutes) + ':' + whole.padStart(2, '0')
    + (fraction ? '.' + fraction : '');
}
function amount(length, unit) {
  if (length === null || length === Infinity) return 'all the rest';
  const names = {t: ' s', char: ' character', word: ' word', line: ' line', page: ' page'};
  const plural = unit !== 't' && names[unit] && length !== 1 ? 's' : '';
  return length.toLocaleString('en', {maximumFractionDigits: 1}) + (names[unit] || '') + plural;
}

// The list of queries

function difference(query) {
  const values = head.values[state.measure];
  return values[state.pair[1]][query] - values[state.pair[0]][query];
}
function sortKey(query) {
  if (state.sort === 'query') return query;
  return state.sort === 'difference' ? difference(query) : head.values[state.measure][state.sort][query];
}
function sorted() {
  const sign = state.down ? -1 : 1;
  return head.queries.map((_, query) => query).sort((a, b) => sign * (sortKey(a) - sortKey(b)) || a - b);
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
    const id = el('a', {href: '#' + address(head.queries[query])}, head.queries[query]);
    const row = el('tr', {data: {query}}, el('td', {}, id, head.texts[query] ? el('small', {title: head.texts[query]}, head.texts[query]) : ''));
    head.runs.forEach((_, run) => row.append(el('td', {}, head.values[state.measure][run][query].toFixed(3))));
    if (several) {
      const value = difference(query);
      const sign = Math.abs(value) < 5e-4 ? '' : value > 0 ? '+' : '−';
      const better = head.measures[state.measure].lower ? value < 0 : value > 0;
      row.append(el('td', {className: sign ? better ? 'better' : 'worse' : ''}, sign + Math.abs(value).toFixed(3)));
      row.title = sizes[query] === most && most ? 'the greatest difference' : '';
    }
    return row;
  }));
  markQuery();
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

function open(query) {
  if (query === state.query) return;
  Object.assign(state, {query, rank: 0, zoom: 1});
  const data = read('query-' + query);
  now = {data, documents: new Map()};
  const at = doc => {
    if (!now.documents.has(doc)) now.documents.set(doc, {doc, judged: [], items: data.runs.map(() => []), best: data.runs.map(() => Infinity), extent: 0, relevant: false});
    return now.documents.get(doc);
  };
  data.judged.document.forEach((doc, i) => {
    const [start, end, relevant] = [data.judged.start[i], data.judged.end[i], data.judged.relevant[i]];
    const entry = at(doc);
    entry.judged.push({start, end: end === null ? Infinity : end, relevant});
    entry.relevant = entry.relevant || relevant > 0;
    entry.extent = Math.max(entry.extent, end === null ? start : end);
  });
  now.items = data.runs.map((columns, run) => columns.document.map((doc, i) => {
    const start = columns.start[i], length = columns.length[i], entry = at(doc);
    const item = {run, rank: i + 1, doc, start, end: length === null ? Infinity : start + length, parts: []};
    entry.items[run].push(item);
    entry.best[run] = Math.min(entry.best[run], i + 1);
    entry.extent = Math.max(entry.extent, length === null ? start : item.end);
    return item;
  }));
  data.runs.forEach(({parts}, run) => parts.rank.forEach((rank, i) => now.items[run][rank - 1].parts.push(
    {start: parts.start[i], end: parts.end[i], new: parts.new[i]})));
  for (const entry of now.documents.values()) {
    const text = textOf(entry.doc);
    if (text && unitOf(entry.doc) === 'char') entry.extent = Math.max(entry.extent, text.length);
    entry.extent = entry.extent || 1;
  }
  const hash = '#' + address(head.queries[query]);
  if (location.hash !== hash) history.replaceState(null, '', hash);
  markQuery();
  hideItem();
  drawQuery();
  $('query').scrollTop = 0;
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
  return el('table', {className: 'values'}, el('thead', {}, el('tr', {}, el('th'), ...names)), el('tbody', {}, ...rows));
}
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
function tools() {
  const order = el('select', {id: 'order'}, el('option', {value: -1}, 'best rank in any run'),
    ...head.runs.map((name, run) => el('option', {value: run}, `rank in ${letter(run)}: ${name}`)));
  order.value = state.order;
  order.onchange = () => { state.order = +order.value; drawDocuments(); };
  const only = el('button', {id: 'only', 'aria-pressed': state.relevant, onclick: toggleRelevant, title: 'r'}, 'Only with relevant content');
  const zoom = el('span', {className: 'zoom'}, el('button', {onclick: () => setZoom(state.zoom / 2), title: 'Shorter (−)', 'aria-label': 'Shorter'}, '−'),
    el('output', {id: 'zoom'}, state.zoom + '×'), el('button', {onclick: () => setZoom(state.zoom * 2), title: 'Longer (+)', 'aria-label': 'Longer'}, '+'));
  const legend = el('span', {className: 'legend'}, ...[['relevant', 'judged'], ['new', 'new'], ['repeated', 'seen before'], ['rest', 'not relevant']].map(
    ([name, label]) => el('span', {}, el('i', {className: 'swatch ' + name}), label)));
  return el('div', {className: 'tools'}, head.runs.length > 1 ? el('label', {}, 'By ', order) : '', only, zoom, legend);
}

// The documents of a query, drawn when they come into sight

const drawn = new Set();
const sight = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting) drawDocument(entry.target);
}, {root: $('query'), rootMargin: '600px 0px'});

function drawDocuments() {
  sight.disconnect();
  drawn.clear();
  const best = entry => state.order < 0 ? Math.min(...entry.best) : entry.best[state.order];
  const entries = [...now.documents.values()].filter(entry => !state.relevant || entry.relevant);
  // Infinity - Infinity is no number: what is not retrieved comes last, in the order of the judgements.
  entries.sort((a, b) => (best(a) === best(b) ? Math.min(...a.best) - Math.min(...b.best) || 0 : best(a) - best(b)));
  const articles = entries.map(entry => {
    const lanes = (entry.judged.length ? 1 : 0) + runsOf(entry).length;
    const article = el('article', {className: 'document', id: 'document-' + entry.doc, data: {doc: entry.doc}});
    article.style.minHeight = `${62 + 23 * lanes}px`;
    return article;
  });
  $('documents').replaceChildren(...articles);
  if (!articles.length) $('documents').append(el('p', {className: 'soft'}, 'There is no document to show.'));
  articles.forEach(article => sight.observe(article));
}
const runsOf = entry => head.runs.map((_, run) => run).filter(run => entry.judged.length || entry.items[run].length);

function drawDocument(article) {
  if (drawn.has(article)) return;
  drawn.add(article);
  sight.unobserve(article);
  const entry = now.documents.get(+article.dataset.doc), unit = unitOf(entry.doc);
  const runs = runsOf(entry), shown = runs.filter(run => entry.items[run].length);
  const title = el('header', {}, el('h3', {}, head.documents[entry.doc]));
  for (const run of shown) {
    const ranks = entry.items[run].map(item => item.rank);
    title.append(el('span', {className: 'soft'}, badge(run), ranks.slice(0, 8).join(', ') + (ranks.length > 8 ? ` … (${ranks.length})` : '')));
  }
  if (!shown.length) title.append(el('span', {className: 'soft'}, 'not retrieved'));
  if (textOf(entry.doc) || linesOf(entry.doc)) title.append(readButton(entry, article));
  const width = Math.max(120, ($('documents').clientWidth - labelWidth()) * state.zoom);
  const canvas = el('div', {className: 'canvas', style: {width: state.zoom * 100 + '%'}});
  const labels = el('div', {className: 'labels'});
  const label = (height, ...content) => labels.append(el('div', {style: {height: height + 'px'}}, ...content));
  if (entry.judged.length) {
    canvas.append(judgedLane(entry, unit));
    label(27, el('span', {className: 'letter', title: 'judged'}, '✓'), el('span', {className: 'name'}, 'judged'));
  }
  for (const run of runs) {
    const lane = runLane(entry, run, width, unit);
    canvas.append(lane);
    label(parseInt(lane.style.height), badge(run), el('span', {className: 'name', title: head.runs[run]}, head.runs[run]));
  }
  canvas.append(ruler(entry, width, unit));
  const scroller = el('div', {className: 'scroller'}, canvas);
  article.replaceChildren(title, el('div', {className: 'lanes'}, labels, scroller));
  article.style.minHeight = '';
  const item = chosen();
  if (item && item.doc === entry.doc) mark(item);
}
const labelWidth = () => matchMedia('(max-width: 54rem)').matches ? 30 : 136;
const share = (position, entry) => Math.min(1, position / entry.extent) * 100 + '%';

function judgedLane(entry, unit) {
  const spans = entry.judged.map(span => el('div', {
    className: 'span ' + (span.relevant ? 'relevant' : 'irrelevant'), data: {start: span.start},
    title: `judged ${span.relevant ? 'relevant' : 'not relevant'}: ${place(span.start, unit)}–${place(span.end, unit)}`,
    style: {left: share(span.start, entry), width: `calc(${share(span.end, entry)} - ${share(span.start, entry)})`},
  }));
  return el('div', {className: 'lane judged', style: {height: '27px'}}, ...spans);
}
function runLane(entry, run, width, unit) {
  const rows = [];  // of each row of bars, where the last one ends, in pixels
  const scale = width / entry.extent;
  const lane = el('div', {className: 'lane run', data: {run}});
  const items = [...entry.items[run]].sort((a, b) => a.start - b.start || a.rank - b.rank);
  for (const item of items) {
    const end = Math.min(item.end, entry.extent), length = end - item.start;
    const named = 6.5 * String(item.rank).length + 3, right = Math.max(end * scale, Math.min(width, item.start * scale + named));
    const left = Math.min(item.start * scale, right - named);  // at the end of the document the label goes to the left
    let row = rows.findIndex(reach => reach <= left + .5);
    if (row < 0) row = rows.push(0) - 1;
    rows[row] = right;
    const point = item.end === item.start;
    const bar = el('div', {
      className: 'bar' + (point ? ' point' : ''), role: 'button', tabIndex: item.rank === 1 ? 0 : -1, data: {run, rank: item.rank},
      style: {left: share(item.start, entry), top: row * 22 + 'px', width: `calc(${share(end, entry)} - ${share(item.start, entry)})`},
      'aria-label': `${head.runs[run]}, rank ${item.rank}, ${place(item.start, unit)} to ${place(item.end, unit)}`,
    }, el('b', {style: {left: left - item.start * scale + 'px'}}, String(item.rank)));
    const strip = el('i');
    for (const part of item.parts) {
      strip.append(el('span', {className: 'part ' + (part.new ? 'new' : 'repeated'),
        style: {left: (part.start - item.start) / length * 100 + '%', width: (part.end - part.start) / length * 100 + '%'}}));
    }
    bar.append(strip);
    if (now.walk && now.walk.found[run].has(item.rank)) bar.classList.add('hit');
    lane.append(bar);
  }
  lane.style.height = Math.max(1, rows.length) * 22 + 1 + 'px';
  return lane;
}
function ruler(entry, width, unit) {
  const least = entry.extent * 76 / width, size = 10 ** Math.floor(Math.log10(least));
  const steps = unit === 't' ? [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400] : [];
  const step = steps.find(step => step >= least) || [1, 2, 5, 10].map(n => n * size).find(n => n >= least);
  const marks = [];
  for (let position = 0; position + least / 2 < entry.extent || !position; position += step) {
    const text = place(position, unit, step < 1), room = (1 - position / entry.extent) * width;
    marks.push(el('span', {style: {left: share(position, entry)}}, room > 7 * text.length + 4 ? text : ''));  // none that is cut off
  }
  return el('div', {className: 'ruler'}, ...marks);
}

// Texts: positions count code points, words as Python sees them, or lines, and JavaScript's strings UTF-16

const texts = new Map();
const WORD = /[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu;
function textOf(doc) {
  if (!texts.has(doc)) texts.set(doc, $('text-' + doc) ? measured(read('text-' + doc), unitOf(doc)) : null);
  return texts.get(doc);
}
function measured(text, unit) {
  const starts = [], ends = [0];
  const add = (start, length) => { starts.push(start); ends.push(start + length); };
  if (unit === 'word') for (const word of text.matchAll(WORD)) add(word.index, word[0].length);
  else if (unit === 'line') for (const line of text.matchAll(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+/g)) add(line.index, line[0].length);
  else for (let at = 0; at < text.length; at += ends[ends.length - 1] - at) add(at, text.codePointAt(at) > 0xffff ? 2 : 1);
  starts.push(text.length);
  const length = starts.length - 1, clamp = position => Math.min(position, length);
  return {text, length, start: position => starts[clamp(position)], end: position => ends[clamp(position)]};
}
function pieces({text, start, end}, from, to, marks) {
  const spans = marks.map(mark => ({left: start(mark.start), right: end(mark.end), name: mark.name}));
  const cuts = [...new Set([from, to, ...spans.flatMap(span => [span.left, span.right])])]
    .filter(cut => cut >= from && cut <= to).sort((a, b) => a - b);
  return cuts.slice(1).map((cut, i) => {
    const names = new Set(spans.filter(span => span.left <= cuts[i] && span.right >= cut).map(span => span.name));
    const words = text.slice(cuts[i], cut);
    return names.size ? el('mark', {className: [...names].join(' ')}, words) : document.createTextNode(words);
  });
}
// Transcripts: lines with times

const transcripts = new Map();
function linesOf(doc) {
  if (!transcripts.has(doc)) {
    const columns = $('lines-' + doc) ? read('lines-' + doc) : null;
    transcripts.set(doc, columns && columns.start.map((start, i) => ({start, end: columns.end[i], text: columns.text[i]})));
  }
  return transcripts.get(doc);
}
const shared = (line, span) => Math.min(line.end, span.end) - Math.max(line.start, span.start);
function spoken(doc, lines, marks) {
  // A line has the mark of a span with which it shares a moment.
  return lines.map(line => {
    const names = new Set(marks.filter(mark => shared(line, mark) > 0).map(mark => mark.name));
    const words = names.size ? el('mark', {className: [...names].join(' ')}, line.text) : line.text;
    const time = place(line.start, 't', false);
    const when = head.media ? el('a', {href: link({doc, start: line.start, end: Infinity}), target: '_blank', rel: 'noopener noreferrer'}, time) : time;
    return el('p', {className: 'line' + (line.around ? ' around' : '')}, el('span', {className: 'when'}, when), el('span', {}, words));
  });
}
function heard(item, lines) {
  const marks = item.parts.map(part => ({...part, name: part.new ? 'is-new' : 'is-repeated'}));
  const inside = line => shared(line, item) > 0 || (item.start === item.end && line.start <= item.start && line.end > item.start);
  const first = lines.findIndex(line => inside(line) || line.start >= item.end);
  const last = lines.findLastIndex(line => inside(line) || line.end <= item.start);
  const from = Math.max(0, (first < 0 ? lines.length : first) - 1), to = Math.min(lines.length, last + 2);
  return el('div', {className: 'spoken'}, ...spoken(item.doc, lines.slice(from, to).map(line => ({...line, around: !inside(line)})), marks));
}
function readButton(entry, article) {
  const button = el('button', {'aria-expanded': false}, 'Read');
  button.onclick = () => {
    const old = article.querySelectorAll('.reading, pre');
    button.setAttribute('aria-expanded', !old.length);
    if (old.length) return old.forEach(element => element.remove());
    article.append(el('p', {className: 'reading soft'}, el('mark', {className: 'judged'}, 'judged relevant'), ', ',
      el('mark', {className: 'retrieved'}, 'returned by ' + head.runs[state.run])));
    const text = textOf(entry.doc), lines = linesOf(entry.doc), marks = entry.judged.filter(span => span.relevant).map(span => ({...span, name: 'judged'}));
    for (const item of entry.items[state.run]) marks.push({start: item.start, end: item.end, name: 'retrieved'});
    article.append(el(text ? 'pre' : 'div', {tabIndex: 0, className: text ? '' : 'reading spoken'},
      ...(text ? pieces(text, 0, text.text.length, marks) : spoken(entry.doc, lines, marks))));
  };
  return button;
}

// An item

const chosen = () => state.rank ? now.items[state.run][state.rank - 1] : null;
function hideItem() {
  state.rank = 0;
  $('item').hidden = true;
  if (now) unmark();
}
function unmark() {
  document.querySelectorAll('.user, .mark').forEach(element => element.remove());
  document.querySelectorAll('.bar.chosen, .span.found').forEach(element => element.classList.remove('chosen', 'found'));
}
function story(item) {
  // What the user meets from the entry on: spans found, and where patience ends.
  if (!now.walk) return null;
  const {tau, on, cutoff, name} = now.walk, unit = unitOf(item.doc);
  if (cutoff && item.rank > cutoff) return {text: `${name}: the user does not come this far.`, steps: []};
  const found = now.walk.found[item.run].get(item.rank) || [], steps = [];
  let position = item.start, text = `${name}: the user enters at ${place(position, unit)}`;
  for (const span of found) {
    const at = position + span.waste;
    steps.push({from: position, to: at, finds: span.start});
    text += (span.waste ? `, waits ${amount(span.waste, unit)} and finds ` : ', and is at once in ') + `${place(span.start, unit)}–${place(span.end, unit)}, relevant and new`;
    position = span.end;
  }
  if (!found.length || on) {
    steps.push({from: position, to: position + tau, finds: null});
    const before = !found.length && now.documents.get(item.doc).judged.some(span => span.relevant && span.end > position && (span.start <= position || span.start < position + tau));
    text += `${found.length ? ', goes on from there' : ''} and gives up at ${place(position + tau, unit)}: `
      + (before ? 'the relevant span there was found before' : `nothing relevant and new begins within ${amount(tau, unit)}`);
  }
  return {text: text + '.', steps};
}
function showItem(run, rank) {
  Object.assign(state, {run, rank});
  const item = chosen(), unit = unitOf(item.doc), aside = $('item');
  const sum = parts => parts.reduce((total, part) => total + part.end - part.start, 0);
  const fresh = sum(item.parts.filter(part => part.new)), again = sum(item.parts.filter(part => !part.new));
  const shares = [['new', fresh, 'relevant and new'], ['repeated', again, 'seen before'], ['rest', item.end - item.start - fresh - again, 'not relevant']]
    .filter(([, length]) => length > 1e-6).map(([name, length, label]) =>
      el('span', {}, el('i', {className: 'swatch ' + name}), `${amount(length, unit)} ${label}`));
  const line = el('p', {}, badge(run), el('b', {}, `${head.runs[run]}, rank ${rank}: `),
    `${head.documents[item.doc]} ${place(item.start, unit)}–${place(item.end, unit)} `);
  if (head.media && (unit === 't' || unit === null)) {
    line.append(el('a', {href: link(item), target: '_blank', rel: 'noopener noreferrer'}, `Open at ${place(item.start, unit)}`));
  }
  const told = story(item), text = textOf(item.doc), lines = linesOf(item.doc), adds = contribution(item);
  aside.classList.toggle('with-text', Boolean(text || lines));
  aside.replaceChildren(el('button', {className: 'close', onclick: hideItem, 'aria-label': 'Close'}, '×'), line,
    shares.length ? el('p', {className: 'legend'}, ...shares) : '',
    told ? el('p', {className: 'story'}, told.text) : '', adds ? el('p', {className: 'adds'}, adds) : '',
    text ? passage(item, text) : '', lines ? heard(item, lines) : '');
  aside.hidden = false;
  mark(item, told);
}
function contribution(item) {
  // What the item is to the value of the measure that is chosen.
  const why = now.data.runs[item.run].explained[state.measure], {name, cutoff} = head.measures[state.measure];
  if (!why || why.kind === 'users') return null;
  const {kind, columns} = why, value = head.values[state.measure][item.run][state.query].toFixed(4);
  const mine = columns.rank.map((_, i) => i).filter(i => kind === 'documents' ? columns.document[i] === item.doc : columns.rank[i] === item.rank);
  const sum = columns.adds ? mine.reduce((total, i) => total + columns.adds[i], 0) : null;
  const adds = sum === null ? '' : `: adds ${figure(sum)} to the ${value} of ${name}`;
  if (!mine.length) {
    const behind = cutoff && item.rank > cutoff && kind !== 'documents';
    const reason = {t2i: 'No hit', watch: 'Nothing relevant and new is watched here', documents: 'No relevant content of its document counts'}[kind];
    return `${behind ? `Rank ${item.rank} is behind the cutoff of ${cutoff}` : reason}${columns.adds ? `: adds 0 to the ${value} of ${name}` : ''}.`;
  }
  const i = mine[mine.length - 1], unit = unitOf(item.doc), at = column => figure(columns[column][i]);
  if (kind === 't2i') return `${columns.hits[i]} hit${columns.hits[i] > 1 ? 's' : ''} in ${item.rank} item${item.rank > 1 ? 's' : ''} is ${at('precision')}${mine.length > 1 ? `, for ${mine.length} spans` : ''}${adds}.`;
  if (kind === 'watch') return `After it ${amount(columns.V[i], unit)} of ${amount(columns.W[i], unit)} watched are relevant and new, ${at('precision')} at recall ${at('recall')}${adds}.`;
  return `Its document has P ${at('P')}, R ${at('R')}, F ${at('F')}; gP there is ${at('gP')}, with a weight of ${at('weight')}${adds}.`;
}
function passage(item, text) {
  const from = text.start(item.start), to = Math.max(from, text.end(item.end)), around = 140;
  const marks = item.parts.map(part => ({...part, name: part.new ? 'is-new' : 'is-repeated'}));
  const left = Math.max(0, from - around), right = Math.min(text.text.length, to + around);
  return el('pre', {}, el('span', {className: 'around'}, (left ? '… ' : '') + text.text.slice(left, from)),
    ...pieces(text, from, to, marks), el('span', {className: 'around'}, text.text.slice(to, right) + (right < text.text.length ? ' …' : '')));
}
function link(item) {
  const path = head.documents[item.doc].split('/').map(address).join('/');
  return head.media.split('{document}').join(path) + `#t=${item.start}${item.end === Infinity ? '' : ',' + item.end}`;
}
function mark(item, told = story(item)) {
  unmark();
  const entry = now.documents.get(item.doc), article = $('document-' + item.doc);
  const bar = article && article.querySelector(`.bar[data-run="${item.run}"][data-rank="${item.rank}"]`);
  if (!bar) return;
  bar.classList.add('chosen');
  const lane = article.querySelector('.lane.judged');
  for (const step of told && lane ? told.steps : []) {
    const left = share(step.from, entry), right = share(step.to, entry);
    lane.append(
      el('div', {className: 'user' + (step.finds === null ? '' : ' finds'), style: {left, width: `calc(${right} - ${left})`}}),
      step.finds === null ? el('div', {className: 'mark', style: {left: `max(${right}, calc(${left} + 9px))`}}, '×') : '');
    for (const span of lane.querySelectorAll('.span.relevant')) if (+span.dataset.start === step.finds) span.classList.add('found');
  }
}
function goTo(run, rank) {
  const item = now.items[run][rank - 1];
  if (!item) return;
  if (state.relevant && !now.documents.get(item.doc).relevant) toggleRelevant();
  const article = $('document-' + item.doc);
  drawDocument(article);
  showItem(run, rank);
  const bar = article.querySelector(`.bar[data-run="${run}"][data-rank="${rank}"]`);
  bar.focus({preventScroll: true});
  bar.scrollIntoView({block: 'center', inline: 'center'});
}

// What people do

function setMeasure(measure) {
  state.measure = measure;
  $('measure').value = measure;
  drawList();
  const item = state.rank;
  drawQuery();
  if (item) showItem(state.run, item);
}
function setZoom(zoom) {
  state.zoom = Math.min(256, Math.max(1, zoom));
  $('zoom').textContent = state.zoom + '×';
  const articles = [...drawn];
  const middles = articles.map(article => middle(article.querySelector('.scroller')));
  drawn.clear();
  articles.forEach((article, i) => {
    drawDocument(article);
    const scroller = article.querySelector('.scroller');
    scroller.scrollLeft = middles[i] * scroller.scrollWidth - scroller.clientWidth / 2;
  });
  const bar = document.querySelector('.bar.chosen');
  if (bar) bar.scrollIntoView({block: 'nearest', inline: 'center'});
}
const middle = scroller => (scroller.scrollLeft + scroller.clientWidth / 2) / scroller.scrollWidth;
function toggleRelevant() {
  state.relevant = !state.relevant;
  $('only').setAttribute('aria-pressed', state.relevant);
  drawDocuments();
}
function moveQuery(step) {
  const order = sorted(), at = order.indexOf(state.query) + step;
  if (order[at] === undefined) return;
  open(order[at]);
  $('query').focus({preventScroll: true});
}
const byDifference = () => head.runs.length > 1 && sortBy('difference', state.sort !== 'difference' || !state.down);
const KEYS = {
  j: () => moveQuery(1), ArrowDown: () => moveQuery(1), k: () => moveQuery(-1), ArrowUp: () => moveQuery(-1),
  l: () => goTo(state.run, state.rank + 1), ArrowRight: () => goTo(state.run, state.rank + 1),
  h: () => goTo(state.run, state.rank - 1), ArrowLeft: () => goTo(state.run, state.rank - 1),
  '+': () => setZoom(state.zoom * 2), '=': () => setZoom(state.zoom * 2), '-': () => setZoom(state.zoom / 2), 0: () => setZoom(1),
  m: () => setMeasure((state.measure + 1) % head.measures.length), r: toggleRelevant, d: byDifference,
  w: () => { $('why').open = !$('why').open; }, '?': () => $('help').showModal(), Escape: hideItem,
};
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('help').open || event.target.closest('select, input')) return;
  const run = /^[1-9]$/.test(event.key) ? +event.key - 1 : -1;
  const action = run >= 0 && run < head.runs.length ? () => goTo(run, 1) : Object.hasOwn(KEYS, event.key) && KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
document.querySelector('#list tbody').addEventListener('click', event => {
  const row = event.target.closest('tr');
  if (!row) return;
  event.preventDefault();
  document.body.className = 'at-query';
  open(+row.dataset.query);
});
let pointer = '';  // where it was last
for (const kind of ['pointermove', 'click', 'focusin']) {
  $('query').addEventListener(kind, event => {
    if (kind === 'pointermove') {  // where the page moves below it, a pointer at rest points at nothing
      const before = pointer;
      pointer = `${event.clientX} ${event.clientY}`;
      if (pointer === before) return;
    }
    const bar = event.target.closest('.bar');
    if (bar && !(+bar.dataset.run === state.run && +bar.dataset.rank === state.rank)) showItem(+bar.dataset.run, +bar.dataset.rank);
  });
}
$('query').addEventListener('keydown', event => {
  if (event.key === 'Enter' && event.target.closest('.bar')) {
    const open = $('item').querySelector('a');
    if (open) open.click();
  }
});
$('measure').append(...head.measures.map((measure, i) => el('option', {value: i}, measure.name)));
$('measure').onchange = event => { setMeasure(+event.target.value); event.target.blur(); };
$('help-button').onclick = () => $('help').showModal();
$('runs').append(...head.runs.map((name, run) => el('span', {title: name}, badge(run), name)));
if (head.runs.length > 2) {
  const choice = side => {
    const select = el('select', {'aria-label': 'run'}, ...head.runs.map((name, run) => el('option', {value: run}, `${letter(run)} ${name}`)));
    select.value = state.pair[side];
    select.onchange = () => { state.pair[side] = +select.value; drawList(); };
    return select;
  };
  $('pair').append(choice(1), '−', choice(0));
} else $('pair').remove();
function fromAddress() {
  let id = '';
  try { id = decodeURIComponent(location.hash.slice(1)); } catch { /* not one of our addresses */ }
  const query = head.queries.indexOf(id);
  if (query >= 0) document.body.className = 'at-query';
  open(Math.max(0, query));
}
let waiting = 0;
addEventListener('resize', () => { clearTimeout(waiting); waiting = setTimeout(() => { if (now) setZoom(state.zoom); }, 150); });
addEventListener('hashchange', fromAddress);
drawList();
if (head.queries.length) fromAddress();
document.documentElement.dataset.ready = 'yes';
