'use strict';

const MOST_RESULTS = 12;
const EXCERPT_CHARS = 160;

function words(text) {
  return text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '');
}

/** Returns how well a short text has a word: as it is, as the beginning of one, inside of one, or not. */
function weight(text, word) {
  const lower = ` ${text.toLowerCase()} `;
  if (new RegExp(`[^\\p{L}\\p{N}_]${word}[^\\p{L}\\p{N}_]`, 'u').test(lower)) {
    return 4;
  }
  return new RegExp(`[^\\p{L}\\p{N}_]${word}`, 'u').test(lower) ? 2 : lower.includes(word) ? 1 : 0;
}

/** Returns how much a section is about a word: how often it has it, for its length. */
function density(text, word) {
  const times = text.toLowerCase().split(word).length - 1;
  return times === 0 ? 0 : 1 + times / Math.sqrt(1 + text.length / 400);
}

/** Returns the sections that have all words of a query, the best first. */
function search(index, query) {
  const wanted = words(query);
  if (wanted.length === 0) {
    return [];
  }
  const found = [];
  for (const part of index) {
    let score = 0;
    for (const word of wanted) {
      const worth = 8 * weight(part.title, word) + 5 * weight(part.heading, word) + density(part.text, word);
      if (worth === 0) {
        score = 0;
        break;
      }
      score += worth;
    }
    if (score > 0) {
      found.push({part, score: part.heading === part.title ? score + 1 : score});
    }
  }
  return found.sort((one, other) => other.score - one.score).slice(0, MOST_RESULTS).map(({part}) => part);
}

/** Returns the words around the first one of the query. */
function excerpt(text, query) {
  const word = words(query).find((one) => text.toLowerCase().includes(one));
  const at = word === undefined ? 0 : text.toLowerCase().indexOf(word);
  const begin = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 40)) + 1);
  const end = Math.min(text.length, begin + EXCERPT_CHARS);
  return (begin > 0 ? '… ' : '') + text.slice(begin, end) + (end < text.length ? ' …' : '');
}

/** Returns a command with the address that the page came from in the place of that of the default settings. */
function addressed(command, {protocol, host}) {
  const address = protocol === 'https:' ? `https://${host}` : host;
  return command
    .replace(/\bhttp:\/\/(?:localhost|127\.0\.0\.1):8080\b/g, `${protocol}//${host}`)
    .replace(/(^|[^/\w.-])(?:localhost|127\.0\.0\.1):8080\b/gm, (all, before) => before + address);
}

function readdress() {
  if (location.protocol !== 'http:' && location.protocol !== 'https:') {
    return;
  }
  const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.parentElement.closest('code, a') !== null && text.data.includes(':8080')) {
      text.data = addressed(text.data, location);
    }
  }
  for (const link of document.querySelectorAll('a[href^="http://localhost:8080"]')) {
    link.href = addressed(link.getAttribute('href'), location);
  }
}

function install() {
  readdress();
  const root = document.documentElement.dataset.root;
  const input = document.getElementById('search');
  const results = document.getElementById('results');
  let index;

  async function show() {
    const query = input.value.trim();
    if (query === '') {
      results.hidden = true;
      return;
    }
    index ??= fetch(`${root}search.json`).then((answer) => answer.json());
    const parts = search(await index, query);
    if (query !== input.value.trim()) {
      return;
    }
    results.replaceChildren(...parts.map((part) => entry(part, query)));
    if (parts.length === 0) {
      results.textContent = 'Nothing found.';
    }
    results.hidden = false;
  }

  function entry(part, query) {
    const link = document.createElement('a');
    link.href = `${root}${part.page}${part.anchor === '' ? '' : `#${part.anchor}`}`;
    const title = document.createElement('strong');
    title.textContent = part.heading === part.title || part.heading === '' ? part.title : `${part.title}: ${part.heading}`;
    const text = document.createElement('span');
    text.textContent = excerpt(part.text, query);
    link.append(title, text);
    return link;
  }

  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  input.form.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.click();
  });
  document.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      results.hidden = true;
    } else if (event.key === '/' && document.activeElement.tagName !== 'INPUT') {
      event.preventDefault();
      input.focus();
    } else if (!results.hidden && event.key === 'ArrowDown' && (at >= 0 || document.activeElement === input)) {
      event.preventDefault();
      links[Math.min(at + 1, links.length - 1)]?.focus();
    } else if (!results.hidden && event.key === 'ArrowUp' && at >= 0) {
      event.preventDefault();
      (links[at - 1] ?? input).focus();
    }
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.search')) {
      results.hidden = true;
    }
  });

  const menu = document.querySelector('.menu');
  const wide = matchMedia('(min-width: 60rem)');
  const fit = () => {
    menu.open = wide.matches;
  };
  wide.addEventListener('change', fit);
  fit();
  menu.querySelector('[aria-current]')?.scrollIntoView({block: 'center'});
  scrollTo(0, location.hash === '' ? 0 : scrollY);
}

if (typeof document !== 'undefined') {
  install();
}
