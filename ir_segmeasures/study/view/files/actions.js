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
function toggle(name) {
  state[name] = !state[name];
  document.querySelector('.tools').replaceWith(tools());
  hideItem();
  drawDocuments();
}
function moveQuery(step) {
  const order = sorted(), at = order.indexOf(wanted) + step;
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
  m: () => setMeasure((state.measure + 1) % head.measures.length), r: () => toggle('relevant'), d: byDifference,
  s: () => toggle('scale'), b: () => head.runs.length > 1 && toggle('side'), p: () => $('play') && $('play').click(),
  '/': () => $('filter').focus(),
  w: () => { $('why').open = !$('why').open; }, '?': () => $('help').showModal(), Escape: hideItem,
};
function fromAddress() {
  const query = head.queries.indexOf(nameOf(location.hash.slice(1)));
  if (query >= 0) document.body.className = 'at-query';
  return open(Math.max(0, query));
}
function listen() {
  let pointer = '';  // where it was last
  document.addEventListener('keydown', event => {
    if (!now || event.ctrlKey || event.metaKey || event.altKey || $('help').open || event.target.closest('select, input')) return;
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
  for (const kind of ['pointermove', 'click', 'focusin']) {
    $('query').addEventListener(kind, event => {
      if (kind === 'pointermove') {  // where the page moves below it, a pointer at rest points at nothing
        const before = pointer;
        pointer = `${event.clientX} ${event.clientY}`;
        if (pointer === before) return;
      }
      const bar = event.target.closest('.bar, .entry');
      if (bar && !(+bar.dataset.run === state.run && +bar.dataset.rank === state.rank)) showItem(+bar.dataset.run, +bar.dataset.rank);
    });
  }
  $('query').addEventListener('keydown', event => {
    if (event.key === 'Enter' && event.target.closest('.bar, .entry')) {
      const open = $('item').querySelector('a');
      if (open) open.click();
    }
  });
  $('measure').append(...head.measures.map((measure, i) => el('option', {value: i}, measure.name)));
  $('measure').onchange = event => { setMeasure(+event.target.value); event.target.blur(); };
  $('filter').oninput = () => { state.filter = $('filter').value.trim().toLowerCase(); drawList(); };
  $('filter').onkeydown = event => { if (event.key === 'Enter') open(sorted()[0] ?? wanted); };
  $('help-button').onclick = () => $('help').showModal();
  $('runs').append(...head.runs.map((name, run) => el('span', {title: name}, badge(run), name)));
  if (head.runs.length > 2) {
    const choice = side => {
      const select = el('select', {'aria-label': 'run'}, ...head.runs.map((name, run) => el('option', {value: run}, `${letter(run)} ${name}`)));
      select.value = state.pair[side];
      select.onchange = () => { state.pair[side] = +select.value; drawList(); drawQuery(); };
      return select;
    };
    $('pair').append(choice(1), '−', choice(0));
  } else $('pair').remove();
  let waiting = 0;
  addEventListener('resize', () => { clearTimeout(waiting); waiting = setTimeout(() => { if (now) setZoom(state.zoom); }, 150); });
  addEventListener('hashchange', fromAddress);
  addEventListener('beforeprint', () => preparePaper(true));
  addEventListener('afterprint', () => preparePaper(false));
}
function preparePaper(printing) {
  state.printing = printing;
  if (!now || state.side) return;
  if (printing) drawAll(); else setZoom(state.zoom);
}
function drawAll() {
  drawn.clear();
  document.querySelectorAll('article.document').forEach(drawDocument);
}
async function drawSheets() {
  // All queries one below the other, to be printed: a picture of each, in which nothing can be pressed.
  document.body.className = 'sheets';
  state.printing = true;
  state.relevant = head.items > 20000;
  const sheets = [];
  for (const query of sorted()) {
    await open(query);
    drawAll();
    const sheet = el('section', {className: 'sheet'}, ...[...$('query').children].map(child => child.cloneNode(true)));
    sheet.querySelectorAll('.back, details, .document header button, .tools > :not(.legend)').forEach(element => element.remove());
    sheet.querySelectorAll('button').forEach(button => button.replaceWith(button.textContent));
    sheet.querySelectorAll('[id], [tabindex]').forEach(element => { element.removeAttribute('id'); element.removeAttribute('tabindex'); });
    sheets.push(sheet);
  }
  const only = state.relevant ? `The runs have ${head.items.toLocaleString('en')} items: only documents with relevant content are here.` : '';
  $('query').replaceChildren(el('p', {className: 'soft'}, el('a', {href: location.pathname}, '← One by one'), ' ', only), ...sheets);
  now = null;
}
async function start() {
  if (!window.DecompressionStream) {
    throw new Error('The data of this page are compressed, which this browser cannot read: open it in Chrome or Edge from version 80 on, Firefox from 113 on, or Safari from 16.4 on.');
  }
  data = await read();
  head = data.head;
  head.names = head.documents.map(nameOf);
  state.pair = [0, head.runs.length > 1 ? 1 : 0];
  document.body.style.setProperty('--columns', head.runs.length + (head.runs.length > 1));
  if (new URLSearchParams(location.search).has('all')) {
    $('runs').append(...head.runs.map((name, run) => el('span', {title: name}, badge(run), name)));
    await drawSheets();
  } else {
    listen();
    drawList();
    if (head.queries.length) await fromAddress();
  }
  document.documentElement.dataset.ready = 'yes';
}
start().catch(error => {
  document.body.className = 'at-query';
  $('query').replaceChildren(el('p', {role: 'alert'}, error.message));
});
