'use strict';
// All text comes in through textContent, and nothing is ever read as HTML.
const $ = id => document.getElementById(id);
const state = {
  query: -1, measure: 0, sort: 'query', down: false, pair: [0, 0], filter: '',
  run: 0, rank: 0, zoom: 1, relevant: false, order: -1, why: false, scale: false, side: false, printing: false,
};
let data = null;  // all that the page shows
let head = null;  // the data of the page as a whole
let now = null;  // what is shown of the query

async function read() {
  const bytes = Uint8Array.from(atob($('data').textContent), sign => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
}
const nameOf = id => { try { return decodeURIComponent(id); } catch { return id; } };  // what ids stand for, such as blanks

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
const sign = (kind, before = '') => el('span', {}, el('i', {className: 'swatch ' + kind}), before + head.legend[kind]);
const unitOf = doc => head.units[doc];
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
