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
  // Only what is seen is drawn anew; the others are when they come into sight again.
  const articles = [...drawn], view = $('query').getBoundingClientRect();
  const seen = articles.filter(article => {
    const box = article.getBoundingClientRect();
    middles.set(article, middle(article.querySelector('.scroller')));
    return article.querySelector('.bar.chosen') || (box.bottom > view.top && box.top < view.bottom);
  });
  drawn.clear();
  seen.forEach(drawDocument);
  articles.forEach(article => drawn.has(article) || sight.observe(article));
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
