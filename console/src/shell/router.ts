import { useEffect, useState } from 'preact/hooks';

/** The directory of the console: its scripts are one below it. */
const BASE = new URL('../', import.meta.url).pathname;

export interface Route {
  /** The parts of the path behind the console's directory, decoded. */
  parts: string[];
  query: URLSearchParams;
}

const listeners = new Set<() => void>();

export function current(): Route {
  const rest = location.pathname.startsWith(BASE) ? location.pathname.slice(BASE.length) : '';
  return {
    parts: rest.split('/').filter((part) => part !== '').map(decodeURIComponent),
    query: new URLSearchParams(location.search),
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

export function go(address: string, replace = false): void {
  if (address === location.pathname + location.search) {
    return;
  }
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  listeners.forEach((listener) => listener());
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
  addEventListener('popstate', () => listeners.forEach((listener) => listener()));
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a');
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || link.target !== '' || link.hasAttribute('download') || event.defaultPrevented) {
      return;
    }
    const address = new URL(link.href);
    if (address.origin === location.origin && address.pathname.startsWith(BASE)) {
      event.preventDefault();
      const turned = address.pathname !== location.pathname;
      go(address.pathname + address.search);
      if (turned) {
        scrollTo(0, 0);
      }
    }
  });
}
