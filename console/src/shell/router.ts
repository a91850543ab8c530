import { useEffect, useState } from 'preact/hooks';
import { ask, guardPage, loses } from './edits';

/** The directory of the console: its scripts are one below it. */
const BASE = new URL('../', import.meta.url).pathname;

export interface Route {
  /** The parts of the path behind the console's directory, decoded. */
  parts: string[];
  query: URLSearchParams;
}

const listeners = new Set<() => void>();

/** The address of what is shown. The browser is ahead of it while the user is asked about going back. */
let shown = new URL(location.href);

/** Which entry of the tab's history is shown: the console counts those that it adds. */
let place = 0;

const placeIn = (state: unknown): number => (state as { place?: number } | null)?.place ?? 0;

export function current(): Route {
  const { pathname, searchParams } = shown;
  const rest = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : '';
  return {
    parts: rest.split('/').filter((part) => part !== '').map(decodeURIComponent),
    query: new URLSearchParams(searchParams),
  };
}

/** The address of a place in the console. */
export function to(parts: string[], query: Record<string, string | undefined> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') {
      parameters.set(name, value);
    }
  }
  const shown = parameters.toString();
  return BASE + parts.map(encodeURIComponent).join('/') + (shown === '' ? '' : `?${shown}`);
}

/** Shows another address, after a question if something is lost that is not saved. */
export function go(address: string, replace = false): void {
  unlessLost(address, () => move(address, replace));
}

/** Does what leaves the page for an address, after the same question. */
export function unlessLost(address: string, act: () => void): void {
  if (loses(address)) {
    ask(act);
  } else {
    act();
  }
}

/** Shows another address without a question: what was typed is saved, or what it belonged to is deleted. */
export function move(address: string, replace = false): void {
  if (address === location.pathname + location.search) {
    return;
  }
  place += replace ? 0 : 1;
  history[replace ? 'replaceState' : 'pushState']({ place }, '', address);
  tell();
}

function tell(): void {
  shown = new URL(location.href);
  listeners.forEach((listener) => listener());
}

/** The browser went back or forward. It did so already: to ask first, the console goes to where it was. */
function travelled({ state }: PopStateEvent): void {
  const steps = placeIn(state) - place;
  if (steps !== 0 && loses(location.href)) {
    history.go(-steps);
    ask(() => history.go(steps));
  } else {
    tell();
  }
  place += steps;
}

export function useRoute(): Route {
  const [, changed] = useState(0);
  useEffect(() => {
    const listener = () => changed((n) => n + 1);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return current();
}

/** A part of the state of a page that stands in its address, so that a link restores it. */
export function useParameter(name: string, fallback = ''): [string, (value: string) => void] {
  const { query } = useRoute();
  const set = (value: string) => {
    const next = new URLSearchParams(location.search);
    if (value === fallback) {
      next.delete(name);
    } else {
      next.set(name, value);
    }
    const shown = next.toString();
    go(location.pathname + (shown === '' ? '' : `?${shown}`), true);
  };
  return [query.get(name) ?? fallback, set];
}

/** Lets links within the console change the page without loading it again. */
export function startRouting(): void {
  place = placeIn(history.state);
  history.replaceState({ place }, '');
  addEventListener('popstate', travelled);
  guardPage();
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a');
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || link.target !== '' || link.hasAttribute('download') || event.defaultPrevented) {
      return;
    }
    const address = new URL(link.href);
    if (address.origin === location.origin && address.pathname.startsWith(BASE)) {
      event.preventDefault();
      const wanted = address.pathname + address.search;
      unlessLost(wanted, () => {
        const turned = address.pathname !== location.pathname;
        move(wanted);
        if (turned) {
          scrollTo(0, 0);
        }
      });
    }
  });
}
