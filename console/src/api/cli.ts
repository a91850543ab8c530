import { type Call, quoted } from './http';

const NAME = '([^/?]+)';

/** What ./millrace is told for a call, which stands before it as its method and its path; $1 and $2 are parts of the path. The first is a function's name where that has a function scope. */
const COMMANDS: [call: RegExp, command: string][] = [
  [RegExp(`^POST api/v1/functions/${NAME}/(pause|resume|undeploy)$`), 'fn $2 $1'],
  [RegExp(`^POST api/v1/functions/${NAME}/canary/(promote|rollback)$`), 'fn $2 $1'],
  [RegExp(`^POST api/v1/functions/${NAME}/dead-letters/replay$`), 'fn replay $1'],
  [RegExp(`^POST api/v1/functions/${NAME}/versions/${NAME}/rollback$`), 'fn rollback $1 $2'],
  [RegExp(`^DELETE api/v1/functions/${NAME}$`), 'fn rm $1'],
  [RegExp(`^GET api/v1/libraries/${NAME}/versions/${NAME}$`), 'fn library show $1@$2'],
  [RegExp(`^DELETE api/v1/libraries/${NAME}/versions/${NAME}$`), 'fn library rm $1@$2'],
  [RegExp(`^DELETE settings/rbac/users/local/${NAME}$`), 'user rm $1'],
  [RegExp(`^DELETE api/v1/keys/${NAME}$`), 'key rm $1'],
];

/** The command of ./millrace that does what a call does; undefined where there is none. */
export function commandLine({ method, path }: Call): string | undefined {
  const [place = '', query] = path.split('?');
  const said = `${method} ${place}`;
  const parameters = new URLSearchParams(query);
  const scope = ['bucket', 'scope'].flatMap((name) => parameters.get(name) ?? []);
  for (const [call, command] of COMMANDS) {
    const parts = call.exec(said);
    if (parts !== null) {
      return './millrace ' + command.replace(/\$(\d)/g, (_, n) => {
        const part = decodeURIComponent(parts[Number(n)] ?? '');
        return quoted(n === '1' ? [...scope, part].join('/') : part);
      });
    }
  }
  return undefined;
}
