import { useEffect, useState } from 'preact/hooks';
import { calls, ids, type Keyspace } from '../../api/documents';
import { useParameter } from '../../shell/router';
import { text } from '../../text';
import { Empty, Loading } from '../../ui/Empty';
import { Problem } from '../../ui/Problem';
import { SearchField } from '../../ui/SearchField';

const words = text.documents;
const PAGE = 100;
const TYPING_MILLIS = 200;

interface Props {
  keyspace: Keyspace;
  chosen: string;
  /** Changes when the ids have changed. */
  version: number;
  choose: (id: string) => void;
}

/** Ids in order, a page at a time: a bucket may have millions. */
export function IdList({ keyspace, chosen, version, choose }: Props) {
  const [prefix, find] = useParameter('prefix');
  const [found, set] = useState<string[]>();
  const [complete, finish] = useState(false);
  const [error, fail] = useState<unknown>();
  const read = (after: string | undefined) =>
    ids(keyspace, prefix, after, PAGE).then(
      (page) => {
        fail(undefined);
        set((before) => (after === undefined ? page : [...(before ?? []), ...page]));
        finish(page.length < PAGE);
      },
      (failure: unknown) => fail(failure),
    );
  useEffect(() => {
    const timer = setTimeout(() => void read(undefined), TYPING_MILLIS);
    return () => clearTimeout(timer);
  }, [keyspace.bucket, keyspace.scope, keyspace.collection, prefix, version]);
  return (
    <section class="stack tight">
      <SearchField label={words.prefix} value={prefix} change={find} mono />
      {error === undefined ? null : <Problem error={error} />}
      {found === undefined && error === undefined ? <Loading label={text.loading} /> : null}
      {found?.length === 0 ? (
        prefix === '' ? (
          <Empty says={words.emptyKeyspace} call={calls.write(keyspace, '1', '{"hello": "world"}', {})} />
        ) : (
          <p class="soft">{words.none}</p>
        )
      ) : null}
      {found === undefined || found.length === 0 ? null : (
        <ul class="card ids">
          {found.map((id) => (
            <li key={id}>
              <button type="button" class="mono" aria-current={id === chosen} onClick={() => choose(id)}>
                {id}
              </button>
            </li>
          ))}
          {complete ? null : (
            <li>
              <button type="button" class="soft" onClick={() => void read(found.at(-1))}>
                {words.more}
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}
