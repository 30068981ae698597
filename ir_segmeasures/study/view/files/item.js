// An item

const chosen = () => state.rank ? now.items[state.run][state.rank - 1] : null;
function hideItem() {
  state.rank = 0;
  $('item').hidden = true;
  closePlayer();
  if (now) unmark();
}
function unmark() {
  document.querySelectorAll('.user, .mark').forEach(element => element.remove());
  document.querySelectorAll('#documents .chosen, #documents .same, .span.found').forEach(element => element.classList.remove('chosen', 'same', 'found'));
}
function story(item) {
  // What the user meets from the entry on: spans found, and where patience ends.
  if (!now.walk) return null;
  const {tau, name, params: {cutoff, keepviewing: on}} = now.walk, unit = unitOf(item.doc);
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
  const open = state.run === run ? [] : document.querySelectorAll('.read[aria-expanded=true]');
  Object.assign(state, {run, rank});
  for (const button of [...open, ...open]) button.click();  // texts show what the run of the item returns
  const item = chosen(), unit = unitOf(item.doc), aside = $('item');
  const sum = parts => parts.reduce((total, part) => total + part.end - part.start, 0);
  const shares = [...Object.values(PARTS).map(kind => [kind, sum(item.parts.filter(part => part.kind === kind))]), ['rest', item.end - item.start - sum(item.parts)]]
    .filter(([, length]) => length > 1e-6).map(([kind, length]) => sign(kind, amount(length, unit) + ' '));
  const line = el('p', {}, badge(run), el('b', {}, `${head.runs[run]}, rank ${rank}: `),
    `${head.names[item.doc]} ${place(item.start, unit)}–${place(item.end, unit)} `);
  if (head.media && (unit === 't' || unit === null)) {
    line.append(el('a', {href: link(item), target: '_blank', rel: 'noopener noreferrer'}, `Open at ${place(item.start, unit)}`),
      ' ', el('button', {id: 'play', onclick: () => play(item), title: 'p'}, 'Play'));
  }
  const walked = story(item), text = textOf(item.doc), lines = linesOf(item.doc), adds = contribution(item);
  aside.classList.toggle('with-text', Boolean(text || lines));
  $('about').replaceChildren(el('button', {className: 'close', onclick: hideItem, 'aria-label': 'Close'}, '×'), line,
    shares.length ? el('p', {className: 'legend'}, ...shares) : '',
    walked ? el('p', {className: 'story'}, walked.text) : '', adds ? el('p', {className: 'adds'}, adds) : '',
    text ? passage(item, text) : '', lines ? heard(item, lines) : '');
  aside.hidden = false;
  mark(item, walked);
}
function contribution(item) {
  // What the item is to the value of the measure that is chosen.
  const why = now.data.runs[item.run].explained[state.measure], {name} = head.measures[state.measure], {cutoff} = limits();
  if (!why || (why.number && !why.columns.rank)) return null;
  const {columns} = why, ranks = columns.rank || [], value = head.values[state.measure][item.run][state.query].toFixed(4);
  const mine = ranks.map((_, i) => i).filter(i => columns.gP ? columns.document[i] === item.doc : ranks[i] === item.rank);
  const sum = columns.adds ? mine.reduce((total, i) => total + columns.adds[i], 0) : null;
  const adds = sum === null ? '' : `: adds ${figure(sum)} to the ${value} of ${name}`;
  if (!mine.length) {
    const behind = cutoff && item.rank > cutoff;
    const reason = isBehind(item) ? 'It is not read' : columns.waste ? 'No hit' : columns.V ? 'Nothing relevant and new is watched here' : columns.gP ? 'No relevant content of its document counts' : 'Nothing of it counts';
    return `${behind ? `Rank ${item.rank} is behind the cutoff of ${cutoff}` : reason}${columns.adds ? `: adds 0 to the ${value} of ${name}` : ''}.`;
  }
  const i = mine[mine.length - 1], unit = unitOf(item.doc), at = column => figure(columns[column][i]);
  const times = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;
  if (columns.V) return `After it ${amount(columns.V[i], unit)} of ${amount(columns.W[i], unit)} watched are relevant and new, ${at('precision')}${columns.recall ? ` at recall ${at('recall')}` : ''}${adds}.`;
  if (columns.retrieved) return `After it ${amount(columns.relevant[i], unit)} of ${amount(columns.retrieved[i], unit)} retrieved are relevant, ${at('precision')} at recall ${at('recall')}${adds}.`;
  if (columns.gP) return `Its document has ${columns.P ? `P ${at('P')}, R ${at('R')}, F ${at('F')}` : `a score of ${at('score')}`}; gP there is ${at('gP')}, with a gain of ${at('gain')}${adds}.`;
  if (columns.bin_rank) return `It brings ${times(mine.length, 'relevant bin')}, from rank ${columns.bin_rank[mine[0]]} of the bins on${adds}.`;
  if (columns.timeouts) return `Before it finds a span, the tolerance runs out ${times(columns.timeouts[i], 'time')}.`;
  if (columns.window) return `${columns.IoP ? 'Of it' : 'Its IoU with'} ${place(columns.window[i], unit)}–${place(columns.window_end[i], unit)}, a true window, ${columns.IoP ? 'lies ' + at('IoP') + ' there' : 'is ' + at('IoU')}${adds}.`;
  if (!columns.hits) return adds ? `It counts${adds}.` : null;
  return `${times(columns.hits[i], 'hit')} in ${times(item.rank, 'item')} is ${at('precision')}${mine.length > 1 ? `, for ${mine.length} spans` : ''}${adds}.`;
}
function passage(item, text) {
  const from = text.start(item.start), to = Math.max(from, text.end(item.end)), around = 140;
  const marks = item.parts.map(part => ({...part, name: markOf(part)}));
  const left = Math.max(0, from - around), right = Math.min(text.text.length, to + around);
  return el('pre', {}, el('span', {className: 'around'}, (left ? '… ' : '') + text.text.slice(left, from)),
    ...pieces(text, from, to, marks), el('span', {className: 'around'}, text.text.slice(to, right) + (right < text.text.length ? ' …' : '')));
}
const markOf = part => part.kind === 'repeated' ? 'is-repeated' : 'is-new';
function link(item) {
  const path = nameOf(head.documents[item.doc]).split('/').map(encodeURIComponent).join('/');
  return head.media.split('{document}').join(path) + `#t=${item.start}${item.end === Infinity ? '' : ',' + item.end}`;
}
const elementOf = item => document.querySelector(`#documents [data-run="${item.run}"][data-rank="${item.rank}"]`);
function mark(item, walked = story(item)) {
  unmark();
  const entry = now.documents.get(item.doc), element = elementOf(item);
  if (!element) return;
  element.classList.add('chosen');
  if (state.side) return markSame(item);
  const lane = element.closest('.document').querySelector('.lane.judged');
  for (const step of walked && lane ? walked.steps : []) {
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
  if (state.side) reachRank(run, rank);
  if (!state.side) {
    if (state.relevant && !now.documents.get(item.doc).relevant) toggle('relevant');
    drawDocument($('document-' + item.doc));
  }
  showItem(run, rank);
  const element = elementOf(item);
  element.focus({preventScroll: true});
  element.scrollIntoView({block: 'center', inline: 'center'});
}
