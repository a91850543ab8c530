import type { Results } from '../../api/functions';
import { to } from '../../shell/router';
import { text } from '../../text';
import { Status } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { type Expected, spelled } from './upload';

const words = text.archive;

/** What an import would do to each function. */
export function ExpectedTable({ functions }: { functions: Expected[] }) {
  const { name, state, source, missing } = words.columns;
  return (
    <Table columns={[name, state, source, missing]}>
      {functions.map((one) => (
        <tr key={one.name}>
          <th scope="row" class="break">
            {one.name}
          </th>
          <td data-label={state}>
            <Status
              tone={one.fate === 'refused' ? 'failed' : one.fate === 'replaced' ? 'warn' : 'ok'}
              shape={one.fate === 'refused' ? 'triangle' : one.fate === 'replaced' ? 'ring' : 'disc'}
              word={words.fates[one.fate]}
            />
          </td>
          <td class="mono break" data-label={source}>
            {one.source}
          </td>
          <td class="mono break" data-label={missing}>
            {one.missing.length === 0 ? words.nothing : one.missing.map(spelled).join(', ')}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** What the server said about each function. */
export function ResultTable({ results }: { results: Results }) {
  const { name, state, said } = words.columns;
  return (
    <Table columns={[name, state, said]}>
      {results.map(({ appname, code, info, warning_info: more }) => (
        <tr key={appname}>
          <th scope="row" class="break">
            {code === 0 ? <a href={to(['functions', appname])}>{appname}</a> : appname}
          </th>
          <td data-label={state}>
            {code === 0 ? (
              <Status tone="ok" shape="disc" word={words.imported} />
            ) : (
              <Status tone="failed" shape="triangle" word={words.refused} />
            )}
          </td>
          <td class="break" data-label={said}>
            {[spoken(info), ...(more?.warnings ?? [])].join(' ')}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Results are sentences, errors are objects with one. */
function spoken(info: unknown): string {
  if (typeof info === 'object' && info !== null) {
    const { description, message } = info as { description?: unknown; message?: unknown };
    const said = description ?? message;
    return typeof said === 'string' ? said : said === undefined ? JSON.stringify(info) : spoken(said);
  }
  return String(info ?? '');
}
