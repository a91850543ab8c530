import { useEffect, useState } from 'preact/hooks';
import { calls, type Keyspace } from '../../api/documents';
import { ApiError, type Call, send } from '../../api/http';
import { useUnsaved } from '../../shell/edits';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { pretty } from '../../ui/format';
import { useTyped, type Version } from '../../ui/typed';
import { jsonMistake, read, type Stored } from './stored';

const words = text.documents;

/** The parts of the address that say which document is shown. */
export const SHOWN = ['id', 'view'];

const FRESH = '{\n  \n}';
const UNREAD: Version = { text: '', etag: undefined };

const versionOf = (found: Stored | null): Version =>
  found === null ? { text: FRESH, etag: undefined } : { text: pretty(found.body), etag: found.etag };

/** Which document is edited. */
export interface Edited {
  keyspace: Keyspace;
  /** Empty for a new document. */
  id: string;
  /** Called with the id that was written, or with nothing after a deletion. */
  saved: (id?: string) => void;
}

/** A document as it is stored, as it is typed, and what kept the last write from being stored. */
export interface Draft {
  /** Of a new document what is typed. */
  name: string;
  rename: (name: string) => void;
  /** Undefined until it is read; null if it does not exist. */
  stored: Stored | null | undefined;
  doc: string;
  edit: (doc: string) => void;
  /** Whether saving would change something. */
  dirty: boolean;
  error: unknown;
  /** What another writer has stored meanwhile. */
  theirs: Stored | undefined;
  load: () => void;
  save: () => void;
  /** Stores what is typed in the place of what the other writer has stored. */
  overwrite: (theirs: Stored) => void;
  /** Goes on with what the other writer has stored. */
  take: (theirs: Stored) => void;
  remove: () => void;
  removal: Call;
  /** The write, for a terminal. */
  call: Call;
}

/** Every write needs the version that was read, so no other writer's change is overwritten. */
export function useDraft({ keyspace, id, saved }: Edited): Draft {
  const fresh = id === '';
  const [name, rename] = useState(id);
  const [stored, store] = useState<Stored | null | undefined>(fresh ? null : undefined);
  const typed = useTyped(fresh ? versionOf(null) : UNREAD);
  const [error, fail] = useState<unknown>();
  const [theirs, conflict] = useState<Stored>();
  const { text: doc, base } = typed;
  useUnsaved(name !== id || typed.unsaved, SHOWN);
  const load = () =>
    void read(keyspace, id).then((found) => {
      store(found);
      typed.refresh(versionOf(found));
      fail(undefined);
    }, fail);
  useEffect(() => {
    if (!fresh) {
      load();
    }
  }, [id]);
  const take = (found: Stored) => {
    store(found);
    typed.show(versionOf(found));
    conflict(undefined);
    fail(undefined);
  };
  const callOf = (etag: string | undefined) =>
    calls.write(keyspace, name, doc, etag === undefined ? { 'If-None-Match': '*' } : { 'If-Match': etag });
  const write = async (etag: string | undefined) => {
    fail(undefined);
    const mistake = jsonMistake(doc);
    if (mistake !== '') {
      fail(new Error(words.notJson(mistake)));
      return;
    }
    try {
      const { headers } = await send(callOf(etag));
      typed.rebase({ text: doc, etag: headers.get('ETag') ?? undefined });
      conflict(undefined);
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
  const removal = calls.remove(keyspace, id, base.etag ?? '');
  const remove = () =>
    void send(removal).then(() => {
      toast(words.deleted(id));
      saved();
    }, fail);
  return {
    name,
    rename,
    stored,
    doc,
    edit: typed.edit,
    dirty: stored == null || typed.unsaved,
    error,
    theirs,
    load,
    save: () => void write(base.etag),
    overwrite: (other) => {
      conflict(undefined);
      void write(other.etag);
    },
    take,
    remove,
    removal,
    call: callOf(base.etag),
  };
}
