import { useState } from 'preact/hooks';
import { calls, LIBRARIES, type Library, type LibraryWithCode, libraryPath } from '../../api/functions';
import { useLive } from '../../live/live';
import { to, useParameter } from '../../shell/router';
import { text } from '../../text';
import { Code } from '../../ui/Code';
import { CopyAs } from '../../ui/Command';
import { type Column, DataTable } from '../../ui/DataTable';
import { Empty, Loading } from '../../ui/Empty';
import { Page } from '../../ui/Page';
import { Problem } from '../../ui/Problem';
import { RowActs } from '../../ui/RowActs';
import { Time } from '../../ui/Time';
import { Removal } from '../access/Removal';
import { LibraryDialog, SAMPLE } from './LibraryDialog';

const words = text.libraries;
const LIBRARIES_MILLIS = 5000;

const idOf = ({ name, version }: Library) => `${name}@${version}`;

/** The modules that functions import: all versions, what uses them, and their code. */
export function Libraries() {
  const libraries = useLive<Library[]>(LIBRARIES, LIBRARIES_MILLIS);
  const [shown, show] = useParameter('library');
  const [saving, save] = useState(false);
  const [removed, remove] = useState<Library>();
  const all = libraries.data;
  const chosen = all?.find((one) => idOf(one) === shown);
  const button = (
    <button type="button" class="button primary" onClick={() => save(true)}>
      {words.create}
    </button>
  );
  return (
    <Page
      title={words.title}
      over={<a href={to(['functions'])}>{text.functions.title}</a>}
      actions={all === undefined || all.length === 0 ? null : button}
    >
      <div class="stack">
        <p class="soft">{words.says}</p>
        {libraries.error === undefined ? null : <Problem error={libraries.error} retry={libraries.refresh} />}
        {all === undefined && libraries.error === undefined ? <Loading label={text.loading} /> : null}
        {all?.length === 0 ? (
          <div class="card">
            <Empty says={words.none} call={calls.library('money', '1.0.0', SAMPLE)}>
              {button}
            </Empty>
          </div>
        ) : null}
        {all === undefined || all.length === 0 ? null : (
          <DataTable caption={words.title} columns={columns(remove)} rows={all} id={idOf} />
        )}
        {chosen === undefined ? null : <Module key={shown} library={chosen} />}
      </div>
      {saving ? <LibraryDialog close={() => save(false)} saved={(id) => (libraries.refresh(), show(id))} /> : null}
      {removed === undefined ? null : (
        <Removal
          title={words.remove}
          body={words.removeBody}
          name={idOf(removed)}
          call={calls.removeLibrary(removed.name, removed.version)}
          close={() => remove(undefined)}
          changed={libraries.refresh}
        />
      )}
    </Page>
  );
}

function columns(remove: (library: Library) => void): Column<Library>[] {
  return [
    {
      key: 'name',
      label: words.columns.library,
      by: idOf,
      show: (library) => (
        <a class="mono break" href={to(['functions', '-', 'libraries'], { library: idOf(library) })}>
          {idOf(library)}
        </a>
      ),
    },
    { key: 'used', label: words.columns.usedBy, show: (library) => <Users users={library.used_by} /> },
    { key: 'imports', label: words.columns.imports, show: ({ imports }) => <Users users={imports} /> },
    { key: 'saved', label: words.columns.saved, by: ({ saved }) => saved, show: ({ saved }) => <Time at={saved} /> },
    {
      key: 'acts',
      label: '',
      show: (library) => (
        <RowActs>
          <button
            type="button"
            class="button danger"
            disabled={library.used_by.length > 0}
            title={library.used_by.length > 0 ? words.inUse : undefined}
            aria-label={words.removeNamed(idOf(library))}
            onClick={() => remove(library)}
          >
            {text.actions.delete}
          </button>
        </RowActs>
      ),
    },
  ];
}

/** Functions by their names, libraries by name and version. */
function Users({ users }: { users: string[] }) {
  return users.length === 0 ? (
    <span class="soft">{words.nothing}</span>
  ) : (
    <span class="row">
      {users.map((user) => (
        <a
          key={user}
          class="break"
          href={user.includes('@') ? to(['functions', '-', 'libraries'], { library: user }) : to(['functions', user])}
        >
          {user}
        </a>
      ))}
    </span>
  );
}

function Module({ library }: { library: Library }) {
  const { name, version } = library;
  const code = useLive<LibraryWithCode>(libraryPath(name, version), LIBRARIES_MILLIS);
  return (
    <section class="stack">
      <div class="row between">
        <h2 class="mono break">{idOf(library)}</h2>
        <CopyAs call={{ method: 'GET', path: libraryPath(name, version) }} />
      </div>
      {code.error === undefined ? null : <Problem error={code.error} retry={code.refresh} />}
      {code.data === undefined ? null : (
        <Code doc={code.data.code} label={words.codeOf(idOf(library))} language="javascript" readOnly lines={8} />
      )}
    </section>
  );
}
