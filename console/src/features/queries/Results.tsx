import { useParameter } from '../../shell/router';
import { text } from '../../text';
import { count } from '../../ui/format';
import { columnsOf, csv, download, shown, tableRow } from './rows';

const words = text.queries;
const SHOWN = 500;

/** Rows as a table or as JSON, and as a file. */
export function Results({ rows }: { rows: unknown[] }) {
  const [view, choose] = useParameter('view', 'table');
  if (rows.length === 0) {
    return <p class="card pad soft">{words.none}</p>;
  }
  const first = rows.slice(0, SHOWN);
  const columns = columnsOf(first);
  return (
    <section class="stack tight">
      <div class="row between">
        <div class="segments" role="group" aria-label={words.view}>
          {(['table', 'json'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={view === one} onClick={() => choose(one)}>
              {words[one]}
            </button>
          ))}
        </div>
        <div class="row">
          <button type="button" class="button quiet" onClick={() => download('rows.csv', csv(rows))}>
            {words.csv}
          </button>
          <button
            type="button"
            class="button quiet"
            onClick={() => download('rows.jsonl', rows.map((row) => JSON.stringify(row)).join('\n') + '\n')}
          >
            {words.exportJson}
          </button>
        </div>
      </div>
      {rows.length > SHOWN ? <p class="soft">{words.shown(count(SHOWN), count(rows.length))}</p> : null}
      {view === 'json' ? (
        <pre class="block" tabIndex={0}>
          {JSON.stringify(first, null, 2)}
        </pre>
      ) : (
        <div class="card scroll" tabIndex={0} role="region" aria-label={words.table}>
          <table class="results">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col" class="mono">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {first.map((row, i) => (
                <tr key={i}>
                  {columns.map((column) => (
                    <td key={column} class="mono">
                      {shown(tableRow(row)[column])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
