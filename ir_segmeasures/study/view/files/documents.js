// The documents of a query, drawn when they come into sight

const drawn = new Set();
const middles = new WeakMap();  // of documents that were drawn at another zoom, the place in the middle of their scroller
const sight = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting) drawDocument(entry.target);
}, {root: $('query'), rootMargin: '600px 0px'});

function drawDocuments() {
  sight.disconnect();
  drawn.clear();
  if (state.side) return drawSides();
  const best = entry => state.order < 0 ? Math.min(...entry.best) : entry.best[state.order];
  const entries = [...now.documents.values()].filter(entry => !state.relevant || entry.relevant);
  // Infinity - Infinity is not a number: what is not retrieved comes last, in the order of the judgements.
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
  const title = el('header', {}, el('h3', {}, head.names[entry.doc]));
  for (const run of shown) {
    const ranks = entry.items[run].map(item => item.rank);
    title.append(el('span', {className: 'soft'}, badge(run), ranks.slice(0, 8).join(', ') + (ranks.length > 8 ? ` … (${ranks.length})` : '')));
  }
  if (!shown.length) title.append(el('span', {className: 'soft'}, 'not retrieved'));
  if (textOf(entry.doc) || linesOf(entry.doc)) title.append(readButton(entry, article));
  const zoom = state.printing ? 1 : state.zoom;
  const width = state.printing ? PAPER : Math.max(120, ($('documents').clientWidth - labelWidth()) * zoom);
  const canvas = el('div', {className: 'canvas', style: {width: zoom * 100 + '%'}});
  const labels = el('div', {className: 'labels'});
  const label = (height, ...content) => labels.append(el('div', {style: {height: height + 'px'}}, ...content));
  if (entry.judged.length) {
    canvas.append(judgedLane(entry, unit));
    label(27, el('span', {className: 'letter', title: 'judgements'}, '✓'), el('span', {className: 'name'}, 'judgements'));
  }
  for (const run of runs) {
    const lane = runLane(entry, run, width, unit);
    canvas.append(lane);
    label(parseInt(lane.style.height), badge(run), el('span', {className: 'name', title: head.runs[run]}, head.runs[run]));
  }
  canvas.append(ruler(entry, width, unit));
  stretchesOf(entry).forEach(([, , at], i, all) => {
    if (!i) return;
    const left = all[i - 1][2] + all[i - 1][1] - all[i - 1][0], part = place => place / reachOf(entry) * 100 + '%';
    canvas.append(el('div', {className: 'gap', title: 'nothing is judged or retrieved here', style: {left: part(left), width: part(at - left)}}));
  });
  if (state.scale && entry.extent < reachOf(entry)) canvas.append(el('div', {className: 'beyond', style: {left: share(entry.extent, entry)}}));
  const scroller = el('div', {className: 'scroller', ...(zoom > 1 ? {tabIndex: 0, role: 'group', 'aria-label': 'Timeline of ' + head.names[entry.doc]} : {})}, canvas);
  article.replaceChildren(title, el('div', {className: 'lanes'}, labels, scroller));
  article.style.minHeight = '';
  if (middles.has(article)) {
    scroller.scrollLeft = middles.get(article) * scroller.scrollWidth - scroller.clientWidth / 2;
    middles.delete(article);
  }
  const item = chosen();
  if (item && item.doc === entry.doc) mark(item);
  movePlayhead();
}
const labelWidth = () => matchMedia('(max-width: 54rem)').matches ? 30 : 136;
const PAPER = 520;  // pixels that a lane has at least on paper
// The stretches of a document that are drawn, [start, end, place on the track]: those around what is judged or retrieved,
// its start and its end. Documents on one scale, and those of which less than half is empty, are drawn whole.
const MARGIN = .1, LEAST = .01, CUT = .03;  // as timelines.py and lanes.py have them
function stretchesOf(entry) {
  const whole = [[0, entry.extent, 0]];
  if (state.scale) return whole;
  if (entry.stretches) return entry.stretches;
  const length = spans => spans.reduce((sum, [start, end]) => sum + end - start, 0);
  const spans = united([...entry.judged, ...entry.items.flat()].map(span => [span.start, Math.min(span.end, entry.extent)]));
  const margin = Math.max(MARGIN * length(spans), LEAST * entry.extent);
  const found = united(spans.map(([start, end]) => [Math.max(0, start - margin), Math.min(entry.extent, end + margin)]));
  if (!found.length || length(found) > entry.extent / 2) return entry.stretches = whole;
  if (found[0][0]) found.unshift([0, 0]);
  if (found[found.length - 1][1] < entry.extent) found.push([entry.extent, entry.extent]);
  const gap = CUT * length(found);
  let at = 0;
  return entry.stretches = found.map(([start, end]) => {
    const stretch = [start, end, at];
    at += end - start + gap;
    return stretch;
  });
}
function united(spans) {
  const found = [];
  for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
    const last = found[found.length - 1];
    if (last && start <= last[1]) last[1] = Math.max(last[1], end); else found.push([start, end]);
  }
  return found;
}
function placeOf(position, entry) {
  const stretches = stretchesOf(entry), [start, , at] = stretches.find(stretch => position <= stretch[1]) || stretches[stretches.length - 1];
  return at + Math.max(0, position - start);
}
const reachOf = entry => state.scale ? now.longest.get(unitOf(entry.doc)) : placeOf(entry.extent, entry);
const share = (position, entry) => Math.min(1, placeOf(position, entry) / reachOf(entry)) * 100 + '%';

function judgedLane(entry, unit) {
  const spans = entry.judged.map(span => el('div', {
    className: 'span ' + (span.relevant ? 'relevant' : 'irrelevant'), data: {start: span.start},
    title: `judged ${span.relevant ? 'relevant' : 'not relevant'}: ${place(span.start, unit)}–${place(span.end, unit)}`,
    style: {left: share(span.start, entry), width: `calc(${share(span.end, entry)} - ${share(span.start, entry)})`},
  }));
  return el('div', {className: 'lane judged', style: {height: '27px'}}, ...spans);
}
function runLane(entry, run, width, unit) {
  const rows = [];  // of each row of bars, where the last one ends, in pixels and in the unit
  const scale = width / reachOf(entry);
  const lane = el('div', {className: 'lane run', data: {run}});
  const items = [...entry.items[run]].sort((a, b) => a.start - b.start || a.rank - b.rank);
  for (const item of items) {
    const end = Math.min(item.end, entry.extent);
    const from = placeOf(item.start, entry) * scale, to = placeOf(end, entry) * scale;
    const named = 6.5 * String(item.rank).length + 3, right = Math.max(to, Math.min(width, from + named));
    const left = Math.min(from, right - named);  // at the end of the document the label goes to the left
    let row = rows.findIndex(([reach, last]) => last <= item.start && reach <= left + .5);
    if (row < 0) row = rows.push([]) - 1;
    rows[row] = [right, item.end];
    const point = item.end === item.start;
    const bar = el('div', {
      className: 'bar' + (point ? ' point' : '') + (isBehind(item) ? ' behind' : ''), role: 'button', tabIndex: item.rank === 1 ? 0 : -1, data: {run, rank: item.rank},
      style: {left: share(item.start, entry), top: row * 22 + 'px', width: `calc(${share(end, entry)} - ${share(item.start, entry)})`},
      'aria-label': `${head.runs[run]}, rank ${item.rank}, ${place(item.start, unit)} to ${place(item.end, unit)}`,
    }, el('b', {style: {left: left - from + 'px'}}, String(item.rank)));
    bar.append(strip(item, end - item.start));
    if (now.walk && now.walk.found[run].has(item.rank)) bar.classList.add('hit');
    lane.append(bar);
    const stop = now.stops[run];
    if (stop && stop.rank === item.rank && stop.doc === item.doc) {
      lane.append(el('div', {className: 'stop', title: 'the budget ends here', style: {left: share(Math.min(stop.position, entry.extent), entry), top: row * 22 + 'px'}}));
    }
  }
  if (!now.items[run].length) lane.append(el('span', {className: 'soft none'}, 'no results'));
  lane.style.height = Math.max(1, rows.length) * 22 + 1 + 'px';
  return lane;
}
function strip(item, length) {
  return el('i', {}, ...item.parts.map(part => el('span', {className: 'part ' + part.kind,
    style: {left: (part.start - item.start) / length * 100 + '%', width: (part.end - part.start) / length * 100 + '%'}})));
}
function ruler(entry, width, unit) {
  const least = reachOf(entry) * 76 / width, size = 10 ** Math.floor(Math.log10(least));
  const steps = unit === 't' ? [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400] : [];
  const step = steps.find(step => step >= least) || [1, 2, 5, 10].map(n => n * size).find(n => n >= least);
  const marks = [];
  const stretches = stretchesOf(entry), taken = [[width, Infinity]];  // in pixels
  for (const [start, end] of [...stretches.filter(([start, end]) => start < end), ...stretches.filter(([start, end]) => start === end)]) {
    const first = Math.ceil(start / step) * step, positions = [];
    for (let position = first; position <= end && (!positions.length || position + least / 2 < end); position += step) positions.push(position);
    for (const position of positions.length ? positions : [Math.min(end, Math.ceil(start))]) {
      const text = place(position, unit, step < 1), left = placeOf(position, entry) / reachOf(entry) * width, right = left + 7 * text.length + 4;
      const free = taken.every(([from, to]) => right <= from || to <= left);  // none that is cut off or covers another
      if (free) taken.push([left, right]);
      marks.push(el('span', {style: {left: share(position, entry)}}, free ? text : ''));
    }
  }
  const line = el('div', {className: 'ruler'}, ...marks);
  line.onclick = event => {
    const at = (event.clientX - line.getBoundingClientRect().left) / line.clientWidth * reachOf(entry);
    const [start, end, left] = stretches.findLast(stretch => stretch[2] <= at);
    seek(entry, Math.min(end, start + at - left));
  };
  return line;
}
