'use strict';
// All text comes in through textContent, and nothing is ever read as HTML.
const $ = id => document.getElementById(id);
const state = {
  query: -1, measure: 0, sort: 'query', down: false, pair: [0, 0], filter: '',
  run: 0, rank: 0, zoom: 1, relevant: false, order: -1, why: false, scale: false, side: false, printing: false,
};
let head = null;  // the data of the page as a whole
let now = null;  // what is shown of the query

async function read(id) {
  const element = $(id);
  if (element.type === 'application/json') return JSON.parse(element.textContent);
  const stream = new Blob([bytesOf(element.textContent)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return unpacked(new Uint8Array(await new Response(stream).arrayBuffer()));
}
function bytesOf(text) {
  // A sign holds seven bits.
  const bytes = new Uint8Array(Math.floor(text.length * 7 / 8));
  for (let i = 0; i < bytes.length; i++) {
    const first = i + Math.floor(i / 7);
    bytes[i] = ((text.charCodeAt(first) & 127) << 7 | text.charCodeAt(first + 1) & 127) >> 6 - i % 7;
  }
  return bytes;
}
function unpacked(bytes) {
  // The length of the JSON, the JSON, and the columns that it speaks of, in their order.
  let at = 4 + new DataView(bytes.buffer).getUint32(0, true);
  function numbers([bases, scale, least, step, length, holes, grows]) {
    const codes = new Array(length).fill(0);
    let unit = 1;
    for (const base of bases) {
      const bits = Math.max(1, 32 - Math.clz32(base - 1)), room = Math.floor(8 / bits);
      for (let i = 0; i < length; i++) codes[i] += (bytes[at + Math.floor(i / room)] >> i % room * bits & (1 << bits) - 1) * unit;
      at += Math.ceil(length / room);
      unit *= base;
    }
    return {values: codes.map(code => code < holes ? null : (code - holes) * step + least), scale, grows};
  }
  function taken({values, scale, grows}, length) {
    let sum = 0;
    return values.splice(0, length).map(value => value === null ? null : (sum = grows ? sum + value : value) / scale);
  }
  let columns = null;  // which stand before the value
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, at)), (key, part) => {
    if (!columns && key === 'columns') columns = part.map(numbers);
    return part && part.column ? taken(columns[part.column[0]], part.column[1]) : part;
  }).value;
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
