import type { Timer } from '../../api/functions';
import { counted, moment } from '../../ui/format';

const SLOTS = 96;

/** How many timers are due in each quarter of an hour. */
export function Density({ timers, from, span }: { timers: Timer[]; from: number; span: number }) {
  const slots = new Array<number>(SLOTS).fill(0);
  for (const { due } of timers) {
    const slot = Math.floor(((Date.parse(due) - from) / span) * SLOTS);
    if (slot >= 0 && slot < SLOTS) {
      slots[slot] = (slots[slot] ?? 0) + 1;
    }
  }
  const top = Math.max(1, ...slots);
  return (
    <svg class="density tone-busy" viewBox={`0 0 ${SLOTS} 24`} preserveAspectRatio="none" role="img" aria-label={counted(timers.length, 'timer')}>
      {slots.map((n, i) => (
        <rect key={i} x={i + 0.1} y={24 - Math.max(1, (n / top) * 24)} width="0.8" height={Math.max(1, (n / top) * 24)} fill="currentColor" opacity={n === 0 ? 0.25 : 1}>
          <title>{`${counted(n, 'timer')}, ${moment(from + (i * span) / SLOTS)}`}</title>
        </rect>
      ))}
    </svg>
  );
}
