import { useState } from 'preact/hooks';
import { type ApiKey, calls, KEYS } from '../../api/access';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { type Column, DataTable } from '../../ui/DataTable';
import { Empty, Loading } from '../../ui/Empty';
import { Problem } from '../../ui/Problem';
import { RowActs } from '../../ui/RowActs';
import { Time } from '../../ui/Time';
import { KeyDialog } from './KeyDialog';
import { Removal } from './Removal';
import { RoleChips } from './RoleChips';

const words = text.access;
const KEYS_MILLIS = 5000;

/** The API keys of programs. */
export function Keys() {
  const keys = useLive<ApiKey[]>(KEYS, KEYS_MILLIS);
  const [creating, create] = useState(false);
  const [removed, remove] = useState<ApiKey>();
  const columns: Column<ApiKey>[] = [
    { key: 'description', label: words.columns.description, by: ({ description }) => description, show: ({ description }) => <span class="break">{description}</span> },
    { key: 'roles', label: words.columns.roles, show: ({ roles }) => <RoleChips roles={roles} /> },
    { key: 'by', label: words.columns.by, by: ({ created_by: by }) => by, show: ({ created_by: by }) => by },
    { key: 'created', label: words.columns.created, by: ({ created }) => created, show: ({ created }) => <Time at={created} /> },
    { key: 'expires', label: words.columns.expires, by: ({ expires }) => expires ?? '~', show: ({ expires }) => (expires === undefined ? words.never : <Time at={expires} />) },
    { key: 'used', label: words.columns.used, by: ({ last_use: used }) => used ?? '', show: ({ last_use: used }) => (used === undefined ? words.never : <Time at={used} />) },
    {
      key: 'acts',
      label: '',
      show: (key) => (
        <RowActs>
          <button type="button" class="button danger" aria-label={words.deleteNamed(key.description)} onClick={() => remove(key)}>
            {text.actions.delete}
          </button>
        </RowActs>
      ),
    },
  ];
  const button = (
    <button type="button" class="button primary" onClick={() => create(true)}>
      {words.newKey}
    </button>
  );
  return (
    <div class="stack">
      {keys.error === undefined ? null : <Problem error={keys.error} retry={keys.refresh} />}
      {keys.data === undefined && keys.error === undefined ? <Loading label={text.loading} /> : null}
      {keys.data?.length === 0 ? (
        <div class="card">
          <Empty says={words.noKeys} call={calls.key('nightly load', ['data_writer[orders]'], undefined)}>
            {button}
          </Empty>
        </div>
      ) : null}
      {keys.data === undefined || keys.data.length === 0 ? null : (
        <>
          <div class="row">{button}</div>
          <DataTable caption={words.tabs.keys} columns={columns} rows={keys.data} id={({ id }) => id} />
        </>
      )}
      {creating ? <KeyDialog close={() => create(false)} changed={keys.refresh} /> : null}
      {removed === undefined ? null : (
        <Removal
          title={words.deleteKey}
          body={words.deleteKeyBody}
          name={removed.description}
          call={calls.removeKey(removed.id)}
          close={() => remove(undefined)}
          changed={keys.refresh}
        />
      )}
    </div>
  );
}
