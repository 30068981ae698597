// Two runs side by side, rank by rank

const RANKS = 100;  // that are drawn at first
function drawSides() {
  const pair = state.pair, most = Math.max(...pair.map(run => now.items[run].length));
  const names = pair.map(run => el('th', {scope: 'col'}, badge(run), head.runs[run]));
  const rows = Array.from({length: Math.min(most, now.ranks)}, (_, i) => el('tr', {}, el('th', {scope: 'row'}, String(i + 1)),
    ...pair.map((run, side) => el('td', {}, now.items[run][i] ? entryCell(now.items[run][i], pair[1 - side]) : ''))));
  const more = el('button', {onclick: () => { now.ranks = most; drawSides(); }}, `All ${most} ranks`);
  $('documents').replaceChildren(el('table', {className: 'sides'}, el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'Rank'), ...names)),
    el('tbody', {}, ...rows)), now.ranks < most ? more : '');
  if (chosen()) mark(chosen());
}
function entryCell(item, other) {
  const unit = unitOf(item.doc), end = item.end === Infinity ? now.documents.get(item.doc).extent : item.end;
  const same = sameContent(item, other).map(found => found.rank);
  const where = same.length ? `${letter(other)}: ${same.slice(0, 3).join(', ')}${same.length > 3 ? ' …' : ''}` : `not in ${letter(other)}`;
  return el('button', {className: 'entry' + (now.walk && now.walk.found[item.run].has(item.rank) ? ' hit' : '') + (isBehind(item) ? ' behind' : ''), data: {run: item.run, rank: item.rank}},
    el('span', {className: 'name'}, head.names[item.doc]), el('span', {className: 'when'}, `${place(item.start, unit)}–${place(item.end, unit)}`),
    strip(item, end - item.start), el('span', {className: 'where'}, where));
}
const sameContent = (item, run) => now.documents.get(item.doc).items[run].filter(
  found => shared(found, item) > 0 || (found.start === item.start && found.end === item.end));
function markSame(item) {
  const other = state.pair[state.pair[0] === item.run ? 1 : 0];
  for (const found of sameContent(item, other)) if (elementOf(found)) elementOf(found).classList.add('same');
}
function reachRank(run, rank) {
  if (!state.pair.includes(run)) return toggle('side');
  if (rank <= now.ranks) return;
  now.ranks = rank;
  drawSides();
}
