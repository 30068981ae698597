// Texts: positions count code points, words as Python sees them, or lines, and JavaScript's strings UTF-16

const texts = new Map();
const WORD = /[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu;
function textOf(doc) {
  if (!texts.has(doc)) texts.set(doc, typeof data.texts[doc] === 'string' ? measured(data.texts[doc], unitOf(doc)) : null);
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
    const lines = Array.isArray(data.texts[doc]) ? data.texts[doc] : null;
    transcripts.set(doc, lines && lines.map(([start, end, text]) => ({start, end, text})));
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
  const marks = item.parts.map(part => ({...part, name: markOf(part)}));
  const inside = line => shared(line, item) > 0 || (item.start === item.end && line.start <= item.start && line.end > item.start);
  const first = lines.findIndex(line => inside(line) || line.start >= item.end);
  const last = lines.findLastIndex(line => inside(line) || line.end <= item.start);
  const from = Math.max(0, (first < 0 ? lines.length : first) - 1), to = Math.min(lines.length, last + 2);
  return el('div', {className: 'spoken'}, ...spoken(item.doc, lines.slice(from, to).map(line => ({...line, around: !inside(line)})), marks));
}
function readButton(entry, article) {
  const button = el('button', {className: 'read', 'aria-expanded': false}, 'Read');
  button.onclick = () => {
    const old = article.querySelectorAll('.reading, pre');
    button.setAttribute('aria-expanded', !old.length);
    if (old.length) return old.forEach(element => element.remove());
    const runs = [...new Set([state.run, ...state.pair])].filter(run => entry.items[run].length).slice(0, 2), signs = ['retrieved', 'also'];
    article.append(el('p', {className: 'reading soft'}, el('mark', {className: 'is-relevant'}, head.legend.relevant),
      ...runs.flatMap((run, i) => [', ', el('mark', {className: signs[i]}, 'returned by ' + head.runs[run])])));
    const text = textOf(entry.doc), lines = linesOf(entry.doc), marks = entry.judged.filter(span => span.relevant).map(span => ({...span, name: 'is-relevant'}));
    runs.forEach((run, i) => entry.items[run].forEach(({start, end}) => marks.push({start, end, name: signs[i]})));
    const box = el(text ? 'pre' : 'div', {tabIndex: 0, className: text ? '' : 'reading spoken'},
      ...(text ? pieces(text, 0, text.text.length, marks) : spoken(entry.doc, lines, marks)));
    article.append(box);
    const first = box.querySelector('.is-relevant') || box.querySelector('mark');
    if (first) box.scrollTop += first.getBoundingClientRect().top - box.getBoundingClientRect().top - 60;
  };
  return button;
}
