import { rate } from './format';

const WIDTH = 300;
const HEIGHT = 72;

/** The last two minutes of one number: the newest value in words, the course as an area. */
export function Chart({ label, values, tone }: { label: string; values: number[]; tone: 'busy' | 'failed' | 'warn' }) {
  const top = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, i) => `${(i * step).toFixed(1)},${(HEIGHT - (value / top) * (HEIGHT - 6)).toFixed(1)}`);
  return (
    <figure class="card chart">
      <figcaption class="row between">
        <span class="soft">{label}</span>
        <strong class="mono">{rate(values.at(-1) ?? 0)}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" class={`tone-${tone}`} aria-hidden="true">
        {values.length < 2 ? null : (
          <>
            <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} fill="currentColor" opacity="0.14" />
            <polyline points={points.join(' ')} fill="none" stroke="currentColor" stroke-width="1.5" vector-effect="non-scaling-stroke" />
          </>
        )}
      </svg>
    </figure>
  );
}
