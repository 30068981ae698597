'use strict';
const $ = id => document.getElementById(id);
const data = JSON.parse($('data').textContent), tasks = data.tasks;
const KEPT = 'ir_segmeasures judging ' + data.pool;
const empty = () => ({grade: null, marks: []});
// Of each task, in their order, its grade and its marks; a mark that has no end yet is open.
const state = {assessor: '', at: 0, judged: tasks.map(empty)};
let open = null, chosen = -1, player = null, cursor = 0, shown = null;

function el(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}
const task = () => tasks[state.at], mine = () => state.judged[state.at];
const done = judged => judged.grade !== null || judged.marks.length > 0;
const round = position => task().counted === 't' ? Math.round(position * 100) / 100 : Math.round(position);
const within = position => round(Math.min(task().to, Math.max(task().from, position)));
const position = () => within(player && player.readyState ? player.currentTime : cursor);
function written(position) {
  if (task().counted !== 't') return String(position);
  const minutes = Math.floor(position / 60), rest = position - 60 * minutes;
  return `${minutes}:${rest < 10 ? '0' : ''}${rest.toFixed(Number.isInteger(position) ? 0 : 2)}`;
}
const nameOf = id => { try { return decodeURIComponent(id); } catch { return id; } };  // what ids stand for, such as blanks
function say(text) { $('status').textContent = text; }

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(state));
  } catch {
    say('This browser keeps nothing: save the file.');
  }
}
function content() {
  return {assessor: state.assessor, pool: data.pool, judgements: tasks.map((task, i) => (
    {query_id: task.query_id, unit: task.unit, ...state.judged[i]})).filter(done)};
}
const isGrade = grade => Number.isInteger(grade) && grade >= 0 && grade < data.grades.length;
const isMark = mark => mark && typeof mark.start === 'number' && typeof mark.end === 'number' && mark.start < mark.end && isGrade(mark.grade);
function take(found) {
  // The judgements of a file take the place of those of their units; the others stay.
  const places = new Map(tasks.map((task, i) => [task.query_id + '\n' + task.unit, i]));
  let taken = 0, unknown = 0;
  for (const one of found.judgements) {
    const place = places.get(one.query_id + '\n' + one.unit);
    if (place === undefined || !(one.grade === null || isGrade(one.grade)) || !one.marks.every(isMark)) {
      unknown += 1;
      continue;
    }
    state.judged[place] = {grade: one.grade, marks: one.marks.map(({start, end, grade}) => ({start, end, grade}))};
    taken += 1;
  }
  if (typeof found.assessor === 'string' && found.assessor) state.assessor = found.assessor;
  return {taken, unknown};
}
function save() {
  const name = state.assessor.trim().replace(/[^\p{L}\p{N}._-]+/gu, '-');
  const url = URL.createObjectURL(new Blob([JSON.stringify(content(), null, 1) + '\n'], {type: 'application/json'}));
  el('a', {href: url, download: `judgements${name ? '-' + name : ''}.json`}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  say(`Saved: ${content().judgements.length} of ${tasks.length} units${state.assessor.trim() ? '' : ', without the name of an assessor'}.`);
}
async function load(file) {
  try {
    const {taken, unknown} = take(JSON.parse(await file.text()));
    keep();
    show();
    say(`Loaded: ${taken} units${unknown ? `; ${unknown} are not of this page` : ''}.`);
  } catch {
    say(`${file.name} is not a file of judgements of this page.`);
  }
}

function show() {
  const now = task(), fresh = shown !== state.at;
  shown = state.at;
  $('assessor').value = state.assessor;
  if (fresh) {
    open = null;
    chosen = -1;
    $('query').textContent = now.query || now.query_id;
    $('unit').textContent = `${nameOf(now.document)}, ${written(now.start)} to ${written(now.end)}`;
    $('place').textContent = `unit ${state.at + 1} of ${tasks.length}`;
    document.querySelectorAll('.step').forEach(e => { e.textContent = now.counted === 't' && (now.media || !now.parts.length) ? '5 s' : ''; });
    play_in(now);
    $('text').replaceChildren(...now.parts.map(([start, end, text]) => {
      const part = el('span', {}, now.counted === 't' ? text + ' ' : text);
      part.dataset.start = start;
      part.dataset.end = end;
      part.addEventListener('click', () => go(start));
      return part;
    }));
    cursor = now.start;
    say('');
  }
  const {grade, marks} = mine();
  $('grades').replaceChildren(...data.grades.map((label, i) => {
    const button = el('button', {}, el('kbd', {}, String(i)), ' ' + label);
    button.setAttribute('aria-pressed', grade === i);
    button.addEventListener('click', () => { chosen = -1; give(i); });
    return button;
  }));
  $('marks').replaceChildren(...marks.map(entry));
  $('no-marks').hidden = marks.length > 0;
  $('progress').textContent = `${state.judged.filter(done).length} of ${tasks.length} judged`;
  tick(true);
}
function entry(mark, i) {
  const bounds = ['start', 'end'].map(name => {
    const input = el('input', {value: written(mark[name]), inputMode: 'decimal'});
    input.setAttribute('aria-label', `${name} of stretch ${i + 1}`);
    input.addEventListener('change', () => {
      const place = input.value.split(':').reduce((sum, part) => 60 * sum + (part.trim() ? Number(part) : NaN), 0);
      const changed = {...mark, [name]: within(place)};
      if (Number.isNaN(place)) say(`“${input.value}” is not a ${task().counted === 't' ? 'time such as 1:02.5' : 'position'}.`);
      else if (changed.start < changed.end) mine().marks[i] = changed;
      else say('A stretch starts before it ends.');
      keep();
      show();
    });
    return input;
  });
  const select = el('select', {}, ...data.grades.map((label, grade) => el('option', {value: grade, selected: grade === mark.grade}, `${grade} ${label}`)));
  select.setAttribute('aria-label', `grade of stretch ${i + 1}`);
  select.addEventListener('change', () => { chosen = i; give(Number(select.value)); });
  const remove = el('button', {}, 'Remove');
  remove.setAttribute('aria-label', `remove stretch ${i + 1}`);
  remove.addEventListener('click', () => { chosen = i; drop(); });
  const replay = el('button', {}, 'Go there');
  replay.setAttribute('aria-label', `go to stretch ${i + 1}`);
  replay.addEventListener('click', () => { chosen = i; go(mark.start); show(); });
  return el('li', {className: i === chosen ? 'chosen' : ''}, el('div', {}, bounds[0], ' to ', bounds[1], select, replay, remove));
}
function play_in(now) {
  if (player) player.pause();
  player = null;
  $('play').hidden = !now.media;
  if (!now.media) {
    $('player').replaceChildren();
    return;
  }
  const path = now.media.split(/[?#]/)[0];
  const media = el(/\.(mp4|m4v|webm|ogv|mov|mkv)$/i.test(path) ? 'video' : 'audio', {controls: true, preload: 'metadata', tabIndex: -1});
  media.setAttribute('aria-label', 'Recording');
  media.addEventListener('loadedmetadata', () => { media.currentTime = cursor; });
  media.addEventListener('timeupdate', () => {
    if (media.currentTime >= now.to && !media.paused) media.pause();
    tick();
  });
  media.addEventListener('seeked', () => tick());
  media.addEventListener('error', () => {
    if (player !== media) return;
    player = null;
    $('play').hidden = true;
    $('player').replaceChildren(el('p', {className: 'soft'}, `The recording ${now.media} cannot be played.`));
    tick();
  });
  media.src = now.media;
  player = media;
  $('player').replaceChildren(media);
}
function tick(all = false) {
  const now = task(), here = position(), extent = now.to - now.from;
  const left = position => `${(position - now.from) / extent * 100}%`, wide = (start, end) => `${(end - start) / extent * 100}%`;
  $('position').textContent = written(here) + (open === null ? '' : `, from ${written(open)}`);
  $('cursor').style.left = left(here);
  const marks = mine().marks;
  if (all) {
    Object.assign($('extent').style, {left: left(now.start), width: wide(now.start, now.end)});
    $('marked').replaceChildren(...marks.map(mark => {
      const bar = el('span');
      Object.assign(bar.style, {left: left(mark.start), width: wide(mark.start, mark.end)});
      return bar;
    }));
    $('mark-start').setAttribute('aria-pressed', open !== null);
  }
  for (const part of $('text').children) {
    const start = Number(part.dataset.start), end = Number(part.dataset.end);
    part.className = [start < now.end && now.start < end ? 'inside' : '', marks.some(mark => start < mark.end && mark.start < end) ? 'marked' : '',
      start <= here && here < end ? 'here' : ''].join(' ').trim();
  }
}

function go(place) {
  if (player) player.currentTime = within(place);
  cursor = within(place);
  tick();
}
function step(direction, small) {
  const now = task(), here = position();
  if (player || !now.parts.length) return go(here + direction * (now.counted === 't' ? (small ? 0.5 : 5) : 1));
  // From one line or word to the next; behind the last is its end.
  const places = [...new Set([...now.parts.map(([start]) => within(start)), within(now.parts.at(-1)[1])])];
  const next = direction > 0 ? places.find(place => place > here) : places.findLast(place => place < here);
  if (next !== undefined) go(next);
  const there = $('text').querySelector('.here');
  if (there) there.scrollIntoView({block: 'nearest'});
}
function toggle() {
  if (!player) return;
  if (!player.paused) return player.pause();
  if (player.currentTime >= task().to - 0.05) player.currentTime = task().start;
  player.play().catch(() => say('The recording cannot be played.'));
}
function start() {
  open = position();
  say(`Starts at ${written(open)}: go to its end, and press o.`);
  tick(true);
}
function finish() {
  const end = position();
  if (open === null) return say('Mark a start first, with i.');
  if (end <= open) return say('A stretch ends after its start: go on, and press o.');
  const grade = mine().marks.length ? mine().marks.at(-1).grade : 1;
  mine().marks.push({start: open, end, grade});
  chosen = mine().marks.length - 1;
  open = null;
  keep();
  show();
  say(`Stretch ${chosen + 1} is ${data.grades[grade]}: a number grades it.`);
}
function give(grade) {
  if (grade >= data.grades.length) return;
  if (chosen >= 0 && mine().marks[chosen]) mine().marks[chosen].grade = grade;
  else mine().grade = mine().grade === grade ? null : grade;
  keep();
  show();
  say(chosen >= 0 ? `Stretch ${chosen + 1} is ${data.grades[grade]}.` : mine().grade === null ? 'The unit has no grade.' : `The unit is ${data.grades[grade]}.`);
}
function drop() {
  if (chosen < 0) return;
  mine().marks.splice(chosen, 1);
  chosen = -1;
  keep();
  show();
  say('The stretch is removed.');
}
function turn(place) {
  if (place < 0 || place >= tasks.length) return say(place < 0 ? 'This is the first unit.' : 'This is the last unit.');
  state.at = place;
  keep();
  show();
  document.querySelector('main').scrollIntoView();
}
function unjudged() {
  const order = [...tasks.keys()].map(i => (state.at + 1 + i) % tasks.length), next = order.find(i => !done(state.judged[i]));
  return next === undefined ? say('All units are judged: save the file.') : turn(next);
}

const KEYS = {' ': toggle, i: start, o: finish, n: () => turn(state.at + 1), p: () => turn(state.at - 1), u: unjudged, s: save,
  Delete: drop, Backspace: drop, '?': () => $('help').showModal(),
  Escape: () => { open = null; chosen = -1; show(); say(''); }};
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('help').open || event.target.matches('input, select, textarea')) return;
  if (event.target.matches('button') && [' ', 'Enter'].includes(event.key)) return;
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') step(event.key === 'ArrowLeft' ? -1 : 1, event.shiftKey);
  else if (/^\d$/.test(event.key)) give(Number(event.key));
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});
for (const [id, act] of Object.entries({
  'save': save, 'load': () => $('file').click(), 'previous': KEYS.p, 'next': KEYS.n, 'unjudged': unjudged, 'play': toggle,
  'back': () => step(-1), 'forward': () => step(1), 'mark-start': start, 'mark-end': finish, 'help-button': KEYS['?']})) {
  $(id).addEventListener('click', () => act());
}
$('assessor').addEventListener('input', () => { state.assessor = $('assessor').value; keep(); });
$('file').addEventListener('change', () => { if ($('file').files[0]) load($('file').files[0]); $('file').value = ''; });

try {
  const kept = JSON.parse(localStorage.getItem(KEPT));
  if (kept) {
    take({assessor: kept.assessor, judgements: kept.judged.map((judged, i) => ({query_id: tasks[i].query_id, unit: tasks[i].unit, ...judged}))});
    state.at = Math.min(Math.max(0, kept.at | 0), tasks.length - 1);
  }
} catch { /* what another version of the page kept */ }
if (tasks.length) show();
else say('There is no unit to judge.');
