import { useEffect, useState } from 'preact/hooks';
import { calls, type Keyspace } from '../../api/documents';
import { ApiError, send } from '../../api/http';
import { to } from '../../shell/router';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Code } from '../../ui/Code';
import { CopyAs } from '../../ui/Command';
import { Confirm } from '../../ui/Dialog';
import { Loading } from '../../ui/Empty';
import { pretty } from '../../ui/format';
import { Problem } from '../../ui/Problem';
import { Attributes } from './Attributes';
import { Conflict } from './Conflict';
import { jsonMistake, read, type Stored } from './stored';

const words = text.documents;
const FRESH = '{\n  \n}';

interface Props {
  keyspace: Keyspace;
  /** Empty for a new document. */
  id: string;
  /** Called with the id that was written, or with nothing after a deletion. */
  saved: (id?: string) => void;
}

/** One document to read, edit and delete; a write needs the version that was read. */
export function DocumentPane({ keyspace, id, saved }: Props) {
  const fresh = id === '';
  const [name, rename] = useState(id);
  const [stored, store] = useState<Stored | null | undefined>(fresh ? null : undefined);
  const [doc, edit] = useState(fresh ? FRESH : '');
  const [error, fail] = useState<unknown>();
  const [theirs, conflict] = useState<Stored>();
  const [removing, remove] = useState(false);
  const show = (found: Stored | null) => {
    store(found);
    edit(found === null ? FRESH : pretty(found.body));
    conflict(undefined);
    fail(undefined);
  };
  const load = () => void read(keyspace, id).then(show, (failure: unknown) => fail(failure));
  useEffect(() => {
    if (!fresh) {
      load();
    }
  }, [id]);
  const condition = (etag: string | undefined): Record<string, string> =>
    etag === undefined ? { 'If-None-Match': '*' } : { 'If-Match': etag };
  const write = async (etag: string | undefined) => {
    fail(undefined);
    const mistake = jsonMistake(doc);
    if (mistake !== '') {
      fail(new Error(words.notJson(mistake)));
      return;
    }
    try {
      await send(calls.write(keyspace, name, doc, condition(etag)));
      toast(words.saved(name));
      saved(name);
      if (!fresh) {
        load();
      }
    } catch (failure) {
      const now = failure instanceof ApiError && failure.status === 412 ? await read(keyspace, name) : null;
      if (now === null) {
        fail(failure);
      } else {
        conflict(now);
      }
    }
  };
  if (stored === undefined) {
    return error === undefined ? <Loading label={text.loading} /> : <Problem error={error} retry={load} />;
  }
  const readOnly = stored !== null && !stored.json;
  const dirty = stored === null || doc !== pretty(stored.body);
  return (
    <section class="stack">
      <div class="row between">
        {fresh ? (
          <input class="mono" aria-label={words.id} placeholder={words.id} value={name} onInput={(event) => rename(event.currentTarget.value)} />
        ) : (
          <h2 class="mono break">{id}</h2>
        )}
        <div class="row">
          <button
            type="button"
            class="button primary"
            disabled={!dirty || readOnly || name === ''}
            onClick={() => void write(stored?.etag)}
          >
            {text.actions.save}
          </button>
          {stored === null ? null : (
            <button type="button" class="button danger" onClick={() => remove(true)}>
              {text.actions.delete}
            </button>
          )}
          {stored === null ? null : (
            <a class="button quiet" href={to(['traces'], { document: id })}>
              {text.traces.ofDocument}
            </a>
          )}
          <CopyAs call={dirty ? calls.write(keyspace, name, doc, condition(stored?.etag)) : calls.read(keyspace, name)} />
        </div>
      </div>
      {error === undefined ? null : <Problem error={error} />}
      {theirs === undefined ? null : (
        <Conflict
          theirs={theirs.body}
          yours={doc}
          takeTheirs={() => show(theirs)}
          overwrite={() => {
            conflict(undefined);
            void write(theirs.etag);
          }}
        />
      )}
      {readOnly && <p class="soft">{words.binary}</p>}
      <Code
        doc={doc}
        label={words.body}
        language={readOnly ? 'text' : 'json'}
        readOnly={readOnly}
        changed={edit}
        save={() => void write(stored?.etag)}
        lines={14}
      />
      {stored === null ? null : <Attributes keyspace={keyspace} id={id} stored={stored} changed={load} />}
      {removing && stored !== null ? (
        <Confirm
          title={words.remove}
          body={words.removeBody}
          verb={text.actions.delete}
          close={() => remove(false)}
          act={() =>
            void send(calls.remove(keyspace, id, stored.etag)).then(
              () => {
                toast(words.deleted(id));
                saved();
              },
              (failure: unknown) => fail(failure),
            )
          }
        />
      ) : null}
    </section>
  );
}
