import { useEffect, useState } from 'preact/hooks';

const TYPING_MILLIS = 250;

/** A value as it was when it had not changed for a moment: what is typed is asked for once, not with each letter. */
export function useSettled(value: string): string {
  const [settled, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), TYPING_MILLIS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
