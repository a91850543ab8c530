const WIDTH = 120;
const HEIGHT = 20;

/** A small curve; its newest value is the last one. The numbers stand in the row, so it is hidden from screen readers. */
export function Sparkline({ values, tone = 'busy' }: { values: number[]; tone?: string }) {
  const top = Math.max(1e-9, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, i) => `${(i * step).toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 3)).toFixed(1)}`);
  return (
    <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} class={`sparkline tone-${tone}`} aria-hidden="true">
      {values.length < 2 ? null : (
        <polyline points={points.join(' ')} fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" />
      )}
    </svg>
  );
}
