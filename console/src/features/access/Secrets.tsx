import { useState } from 'preact/hooks';
import { calls, type Secret, SECRETS } from '../../api/access';
import { send } from '../../api/http';
import { useLive } from '../../live/live';
import { to } from '../../shell/router';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { type Column, DataTable } from '../../ui/DataTable';
import { Empty, Loading } from '../../ui/Empty';
import { FormDialog } from '../../ui/FormDialog';
import { Problem } from '../../ui/Problem';
import { RowActs } from '../../ui/RowActs';
import { TextField } from '../../ui/TextField';
import { Time } from '../../ui/Time';
import { Removal } from './Removal';

const words = text.access;
const SECRETS_MILLIS = 5000;

/** Where a secret is sent, or which code reads it. */
const placeOf = ({ url, function: reader = '' }: Secret) => url ?? words.codeOf(reader);

/** The secrets that functions name; their values are never shown. */
export function Secrets() {
  const secrets = useLive<Secret[]>(SECRETS, SECRETS_MILLIS);
  const [creating, create] = useState(false);
  const [removed, remove] = useState<Secret>();
  const columns: Column<Secret>[] = [
    { key: 'name', label: words.columns.name, by: ({ name }) => name, show: ({ name }) => <span class="mono break">{name}</span> },
    { key: 'url', label: words.columns.url, by: placeOf, show: (secret) => <span class="mono break">{placeOf(secret)}</span> },
    {
      key: 'used',
      label: words.columns.usedBy,
      show: ({ used_by: users }) => (
        <span class="row">
          {users.length === 0 ? <span class="soft">{words.unused}</span> : null}
          {users.map((name) => (
            <a key={name} href={to(['functions', name])}>
              {name}
            </a>
          ))}
        </span>
      ),
    },
    { key: 'changed', label: words.columns.changed, by: ({ changed }) => changed, show: ({ changed }) => <Time at={changed} /> },
    {
      key: 'acts',
      label: '',
      show: (secret) => (
        <RowActs>
          <button type="button" class="button danger" aria-label={words.deleteNamed(secret.name)} onClick={() => remove(secret)}>
            {text.actions.delete}
          </button>
        </RowActs>
      ),
    },
  ];
  const button = (
    <button type="button" class="button primary" onClick={() => create(true)}>
      {words.newSecret}
    </button>
  );
  return (
    <div class="stack">
      {secrets.error === undefined ? null : <Problem error={secrets.error} retry={secrets.refresh} />}
      {secrets.data === undefined && secrets.error === undefined ? <Loading label={text.loading} /> : null}
      {secrets.data?.length === 0 ? (
        <div class="card">
          <Empty says={words.noSecrets} call={calls.secret('payments', 'https://payments.example.org', '')}>
            {button}
          </Empty>
        </div>
      ) : null}
      {secrets.data === undefined || secrets.data.length === 0 ? null : (
        <>
          <div class="row">{button}</div>
          <DataTable caption={words.tabs.secrets} columns={columns} rows={secrets.data} id={({ name }) => name} />
        </>
      )}
      {creating ? <SecretDialog close={() => create(false)} changed={secrets.refresh} /> : null}
      {removed === undefined ? null : (
        <Removal
          title={words.deleteSecret}
          body={words.deleteSecretBody}
          name={removed.name}
          call={calls.removeSecret(removed.name)}
          close={() => remove(undefined)}
          changed={secrets.refresh}
        />
      )}
    </div>
  );
}

function SecretDialog({ close, changed }: { close: () => void; changed: () => void }) {
  const [name, rename] = useState('');
  const [url, allow] = useState('https://');
  const [value, set] = useState('');
  const save = async () => {
    await send(calls.secret(name, url, value));
    toast(words.saved(name));
    changed();
    close();
  };
  return (
    <FormDialog
      title={words.newSecret}
      verb={text.actions.save}
      command={calls.secret(name || 'NAME', url, value)}
      submit={save}
      close={close}
    >
      <TextField id="secret-name" label={words.columns.name} required value={name} change={rename} />
      <TextField id="secret-url" type="url" label={words.columns.url} hint={words.urlHint} required value={url} change={allow} />
      <TextField id="secret-value" type="password" label={words.value} hint={words.valueHint} required value={value} change={set} />
    </FormDialog>
  );
}
