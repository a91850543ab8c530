import { useEffect, useState } from 'preact/hooks';
import { text } from '../text';

interface Toast {
  id: number;
  said: string;
  failed: boolean;
}

const SHOWN_MILLIS = 6000;
let toasts: Toast[] = [];
let next = 0;
const listeners = new Set<() => void>();

function set(changed: Toast[]): void {
  toasts = changed;
  listeners.forEach((listener) => listener());
}

/** Says what happened; a failure stays until it is closed. */
export function toast(said: string, failed = false): void {
  const id = next++;
  set([...toasts.slice(-3), { id, said, failed }]);
  if (!failed) {
    setTimeout(() => set(toasts.filter((one) => one.id !== id)), SHOWN_MILLIS);
  }
}

export function Toasts() {
  const [, changed] = useState(0);
  useEffect(() => {
    const listener = () => changed((n) => n + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, said, failed }) => (
        <div key={id} class={failed ? 'toast failed' : 'toast'}>
          <span>{said}</span>
          <button type="button" class="button quiet" onClick={() => set(toasts.filter((one) => one.id !== id))}>
            {text.actions.close}
          </button>
        </div>
      ))}
    </div>
  );
}
