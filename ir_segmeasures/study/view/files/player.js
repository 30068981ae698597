// The recording of an item, played on the page, and where it is on the timeline

let played = null;  // the document
const video = el('video', {controls: true, preload: 'metadata'});
const playhead = el('div', {className: 'playhead'});
const trouble = el('p', {className: 'soft', role: 'status'});
function play(item) {
  if (played === item.doc && !video.paused) return video.pause();
  played = item.doc;
  trouble.textContent = '';
  $('player').replaceChildren(video, trouble);
  $('player').hidden = false;
  video.src = link(item);  // which says from where to where
  video.play().catch(() => { /* the browser waits for a press on its own button, or has told why not */ });
}
function closePlayer() {
  if (played === null) return;
  played = null;
  video.pause();
  video.removeAttribute('src');
  $('player').hidden = true;
  playhead.remove();
}
function seek(entry, position) {
  if (played === entry.doc) video.currentTime = position;
}
function movePlayhead() {
  const entry = now && now.documents.get(played), article = entry && $('document-' + played);
  const canvas = article && article.querySelector('.canvas');
  if (!canvas) return playhead.remove();
  playhead.style.left = share(video.currentTime, entry);
  if (playhead.parentNode !== canvas) canvas.append(playhead);
}
for (const kind of ['timeupdate', 'seeking', 'loadedmetadata']) video.addEventListener(kind, movePlayhead);
video.onloadedmetadata = () => video.classList.toggle('sound', !video.videoWidth);
video.onerror = () => { if (played !== null) trouble.textContent = 'The browser finds no recording here that it can play.'; };
