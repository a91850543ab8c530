import { useEffect, useState } from 'preact/hooks';
import { ago, moment } from './format';
import { useZone } from './zone';

const TICK_MILLIS = 5000;

/** A time as people say it, with the exact one in the chosen zone on hover. */
export function Time({ at }: { at: string | number | undefined }) {
  const [, tick] = useState(0);
  useZone();
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), TICK_MILLIS);
    return () => clearInterval(timer);
  }, []);
  if (at === undefined || at === '') {
    return null;
  }
  const millis = typeof at === 'number' ? at : Date.parse(at);
  return (
    <time dateTime={new Date(millis).toISOString()} title={moment(millis)}>
      {ago(millis)}
    </time>
  );
}
