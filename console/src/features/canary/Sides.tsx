import type { Canary, CanarySide } from '../../api/functions';
import { text } from '../../text';
import { Table } from '../../ui/Table';
import { count, micros, percent } from '../../ui/format';

const words = text.canary;

/** What both versions have done since the canary began; nothing where that is not known any more. */
export function Sides({ canary: { version, stable_version: former, canary, stable } }: { canary: Canary }) {
  if (canary === undefined || stable === undefined) {
    return null;
  }
  const rows: [string, CanarySide][] = [
    [words.sides.canary(version), canary],
    [words.sides.stable(former), stable],
  ];
  return (
    <>
      <Table columns={Object.values(words.columns)}>
        {rows.map(([label, side]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td data-label={words.columns.handled}>{count(side.handled)}</td>
            <td data-label={words.columns.failed}>
              <span class={side.failed > 0 ? 'tone-failed' : ''}>{count(side.failed)}</span>
            </td>
            <td data-label={words.columns.rate}>{percent(side.error_rate)}</td>
            <td data-label={words.columns.mean}>{micros(side.mean_micros)}</td>
            <td data-label={words.columns.p99}>{micros(side.p99_micros)}</td>
          </tr>
        ))}
      </Table>
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
