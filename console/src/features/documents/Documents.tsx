import { useState } from 'preact/hooks';
import { type Bucket, BUCKETS, calls, DEFAULT } from '../../api/documents';
import { send } from '../../api/http';
import { useLive } from '../../live/live';
import { go, to } from '../../shell/router';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { type Column, DataTable } from '../../ui/DataTable';
import { Empty, Loading } from '../../ui/Empty';
import { count } from '../../ui/format';
import { FormDialog } from '../../ui/FormDialog';
import { Page } from '../../ui/Page';
import { Problem } from '../../ui/Problem';
import { TextField } from '../../ui/TextField';
import { KeyspacePage } from './KeyspacePage';

const words = text.documents;

export function Documents({ parts }: { parts: string[] }) {
  const [bucket, scope = DEFAULT, collection = DEFAULT] = parts;
  return bucket === undefined ? <Buckets /> : <KeyspacePage keyspace={{ bucket, scope, collection }} />;
}

const COLUMNS: Column<Bucket>[] = [
  {
    key: 'bucket',
    label: words.columns.bucket,
    by: (bucket) => bucket.name,
    show: (bucket) => (
      <a class="break" href={to(['documents', bucket.name])}>
        {bucket.name}
      </a>
    ),
  },
  {
    key: 'documents',
    label: words.columns.documents,
    numeric: true,
    by: (bucket) => bucket.documents,
    show: (bucket) => count(bucket.documents),
  },
  {
    key: 'collections',
    label: words.columns.collections,
    numeric: true,
    show: (bucket) => count(bucket.scopes.reduce((sum, scope) => sum + scope.collections.length, 0)),
  },
  { key: 'shards', label: words.columns.shards, numeric: true, show: (bucket) => count(bucket.shards) },
];

function Buckets() {
  const buckets = useLive<Bucket[]>(BUCKETS, 4000);
  const [creating, create] = useState(false);
  const button = (
    <button type="button" class="button primary" onClick={() => create(true)}>
      {words.createBucket}
    </button>
  );
  const none = buckets.data?.length === 0;
  return (
    <Page title={words.title} actions={none ? undefined : button}>
      {buckets.error === undefined ? null : <Problem error={buckets.error} retry={buckets.refresh} />}
      {buckets.data === undefined && buckets.error === undefined ? <Loading label={text.loading} /> : null}
      {none ? (
        <div class="card">
          <Empty says={words.empty} call={calls.createBucket('orders')}>
            {button}
          </Empty>
        </div>
      ) : null}
      {buckets.data === undefined || none ? null : (
        <DataTable caption={words.title} columns={COLUMNS} rows={buckets.data} id={({ name }) => name} />
      )}
      {creating ? <CreateBucket close={() => create(false)} /> : null}
    </Page>
  );
}

function CreateBucket({ close }: { close: () => void }) {
  const [name, set] = useState('');
  const create = async () => {
    await send(calls.createBucket(name));
    toast(words.bucketMade(name));
    go(to(['documents', name]));
  };
  return (
    <FormDialog
      title={words.createBucket}
      verb={text.actions.create}
      command={calls.createBucket(name === '' ? 'NAME' : name)}
      submit={create}
      close={close}
    >
      <TextField id="bucket-name" label={words.bucketName} required value={name} change={set} />
    </FormDialog>
  );
}
