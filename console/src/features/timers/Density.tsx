import type { TimerDensity } from '../../api/functions';
import { counted, moment } from '../../ui/format';

/** How many timers are due in each period. */
export function Density({ density }: { density: TimerDensity }) {
  const { from, period_ms: length, timers } = density;
  const top = Math.max(1, ...timers);
  const begin = Date.parse(from);
  const all = timers.reduce((sum, n) => sum + n, 0);
  return (
    <svg class="density tone-busy" viewBox={`0 0 ${timers.length} 24`} preserveAspectRatio="none" role="img" aria-label={counted(all, 'timer')}>
      {timers.map((n, i) => (
        <rect key={i} x={i + 0.1} y={24 - Math.max(1, (n / top) * 24)} width="0.8" height={Math.max(1, (n / top) * 24)} fill="currentColor" opacity={n === 0 ? 0.25 : 1}>
          <title>{`${counted(n, 'timer')}, ${moment(begin + i * length)}`}</title>
        </rect>
      ))}
    </svg>
  );
}
