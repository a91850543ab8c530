import type { Canary, CanarySide } from '../../api/functions';
import { text } from '../../text';
import { type Column, DataTable } from '../../ui/DataTable';
import { count, micros, percent } from '../../ui/format';

const words = text.canary;

type Row = [label: string, side: CanarySide];

const number = (key: 'handled' | 'failed' | 'rate' | 'mean' | 'p99', show: (side: CanarySide) => string): Column<Row> => ({
  key,
  label: words.columns[key],
  numeric: true,
  show: ([, side]) => (key === 'failed' && side.failed > 0 ? <span class="tone-failed">{show(side)}</span> : show(side)),
});

/** Without a change there is no time, which is not the same as none. */
const time = ({ handled, failed }: CanarySide, took: number): string => (handled + failed === 0 ? '–' : micros(took));

const COLUMNS: Column<Row>[] = [
  { key: 'side', label: words.columns.side, show: ([label]) => label },
  number('handled', ({ handled }) => count(handled)),
  number('failed', ({ failed }) => count(failed)),
  number('rate', ({ error_rate: rate }) => percent(rate)),
  number('mean', (side) => time(side, side.mean_micros)),
  number('p99', (side) => time(side, side.p99_micros)),
];

/** What both versions have done since the canary began; nothing where that is not known any more. */
export function Sides({ canary: { version, stable_version: former, canary, stable } }: { canary: Canary }) {
  if (canary === undefined || stable === undefined) {
    return null;
  }
  const rows: Row[] = [
    [words.sides.canary(version), canary],
    [words.sides.stable(former), stable],
  ];
  return (
    <>
      <DataTable caption={words.caption} columns={COLUMNS} rows={rows} id={([label]) => label} />
      <figure class="card pad stack tight">
        <figcaption class="soft">{words.rates}</figcaption>
        {rows.map(([label, side]) => (
          <div key={label} class="bar-row">
            <span>{label}</span>
            <span class="bar" aria-hidden="true">
              <span class={side.failed > 0 ? 'tone-failed' : 'tone-ok'} style={{ width: `${100 * side.error_rate}%` }} />
            </span>
            <span class="mono num">{percent(side.error_rate)}</span>
          </div>
        ))}
      </figure>
    </>
  );
}
