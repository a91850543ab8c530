import { useEffect, useState } from 'preact/hooks';

const KEY = 'millrace.zone';

/** Whether exact times are those of UTC, as logs and the API have them, or of the place where the browser is. */
export type Zone = 'utc' | 'local';

const listeners = new Set<(zone: Zone) => void>();
let chosen: Zone = stored();

export const zone = (): Zone => chosen;

export const otherZone = (): Zone => (chosen === 'utc' ? 'local' : 'utc');

export function chooseZone(wanted: Zone): void {
  chosen = wanted;
  try {
    localStorage.setItem(KEY, wanted);
  } catch {
    // without storage the choice lasts for this page
  }
  listeners.forEach((listener) => listener(wanted));
}

/** The chosen zone; a component that uses it is drawn again when another one is chosen. */
export function useZone(): Zone {
  const [shown, set] = useState(chosen);
  useEffect(() => {
    listeners.add(set);
    return () => void listeners.delete(set);
  }, []);
  return shown;
}

function stored(): Zone {
  try {
    return localStorage.getItem(KEY) === 'local' ? 'local' : 'utc';
  } catch {
    return 'utc';
  }
}
