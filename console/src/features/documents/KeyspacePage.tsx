import { useState } from 'preact/hooks';
import { type Bucket, calls, isDefault, type Keyspace } from '../../api/documents';
import { path, send } from '../../api/http';
import { useLive } from '../../live/live';
import { go, move, to, useParameter } from '../../shell/router';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Confirm } from '../../ui/Dialog';
import { counted } from '../../ui/format';
import { Page } from '../../ui/Page';
import { Problem } from '../../ui/Problem';
import { Tabs } from '../../ui/Tabs';
import { Changes } from './Changes';
import { DocumentPane } from './DocumentPane';
import { IdList } from './IdList';

const words = text.documents;

/** A new document has no id yet; ids are never empty. */
export const NEW = '';

/** The documents of a collection: the ids on the left, the chosen one on the right. */
export function KeyspacePage({ keyspace }: { keyspace: Keyspace }) {
  const bucket = useLive<Bucket>(path`api/v1/buckets/${keyspace.bucket}`, 4000);
  const [view] = useParameter('view', 'list');
  const [prefix] = useParameter('prefix');
  const [id] = useParameter('id');
  const creating = view === 'new';
  const [version, changed] = useState(0);
  const [dropping, drop] = useState(false);
  const place = isDefault(keyspace) ? [keyspace.bucket] : [keyspace.bucket, keyspace.scope, keyspace.collection];
  const address = (view?: string) => to(['documents', ...place], { view });
  const of = (document: string) => to(['documents', ...place], { id: document, prefix });
  const remove = () =>
    void send(calls.deleteBucket(keyspace.bucket)).then(
      () => {
        toast(words.bucketDeleted(keyspace.bucket));
        move(to(['documents']));
      },
      (error: Error) => toast(error.message, true),
    );
  const actions = (
    <>
      <Collections bucket={bucket.data} keyspace={keyspace} />
      <button type="button" class="button primary" onClick={() => go(address('new'))}>
        {words.create}
      </button>
      <button type="button" class="button danger" onClick={() => drop(true)}>
        {words.deleteBucket}
      </button>
    </>
  );
  const over = (
    <>
      <a href={to(['documents'])}>{words.title}</a>
      {bucket.data === undefined ? null : `, ${counted(bucket.data.documents, 'document')}`}
    </>
  );
  return (
    <Page title={place.join('.')} over={over} actions={actions}>
      {bucket.error === undefined ? null : <Problem error={bucket.error} retry={bucket.refresh} />}
      <Tabs
        label={place.join('.')}
        current={creating ? 'list' : view}
        tabs={[
          { key: 'list', label: words.list, address: address() },
          { key: 'changes', label: words.live, address: address('changes') },
        ]}
      />
      {view === 'changes' ? (
        <Changes keyspace={keyspace} />
      ) : (
        <div class="browser">
          <IdList
            keyspace={keyspace}
            chosen={id}
            version={version}
            choose={(chosen) => go(of(chosen), true)}
          />
          {id === '' && !creating ? (
            <p class="card pad soft">{words.pick}</p>
          ) : (
            <DocumentPane
              key={creating ? NEW : id}
              keyspace={keyspace}
              id={creating ? NEW : id}
              saved={(saved) => {
                move(of(saved ?? ''), true);
                changed((n) => n + 1);
              }}
            />
          )}
        </div>
      )}
      {dropping ? (
        <Confirm
          title={words.deleteBucket}
          body={words.deleteBucketBody}
          name={keyspace.bucket}
          verb={words.deleteBucket}
          call={calls.deleteBucket(keyspace.bucket)}
          close={() => drop(false)}
          act={remove}
        />
      ) : null}
    </Page>
  );
}

function Collections({ bucket, keyspace }: { bucket: Bucket | undefined; keyspace: Keyspace }) {
  const all = (bucket?.scopes ?? []).flatMap((scope) =>
    scope.collections.map((collection) => ({ bucket: keyspace.bucket, scope: scope.name, collection: collection.name })),
  );
  if (all.length < 2) {
    return null;
  }
  const nameOf = ({ scope, collection }: Keyspace) => `${scope}.${collection}`;
  return (
    <select
      aria-label={words.collection}
      value={nameOf(keyspace)}
      onChange={(event) => {
        const [scope = '', collection = ''] = event.currentTarget.value.split('.');
        event.currentTarget.value = nameOf(keyspace); // until the page is another one: the user may stay
        go(to(['documents', keyspace.bucket, scope, collection]));
      }}
    >
      {all.map((one) => (
        <option key={nameOf(one)}>{nameOf(one)}</option>
      ))}
    </select>
  );
}
