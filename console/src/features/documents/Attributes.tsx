import { useEffect, useState } from 'preact/hooks';
import { calls, type Keyspace } from '../../api/documents';
import { ApiError, send } from '../../api/http';
import { useUnsaved } from '../../shell/edits';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Act } from '../../ui/Act';
import { CopyAs } from '../../ui/Command';
import { Conflict } from '../../ui/Conflict';
import { pretty } from '../../ui/format';
import { Problem } from '../../ui/Problem';
import { Time } from '../../ui/Time';
import { useTyped, type Version } from '../../ui/typed';
import { SHOWN } from './draft';
import { read, type Stored } from './stored';

const words = text.documents;

const versionOf = ({ xattrs, etag }: Stored): Version => ({ text: pretty(xattrs), etag });

/** What belongs to a document besides its body: version, position, expiry, extended attributes. */
export function Attributes(props: { keyspace: Keyspace; id: string; stored: Stored; changed: () => void }) {
  const { keyspace, id, stored, changed } = props;
  const typed = useTyped(versionOf(stored));
  const { text: xattrs, base } = typed;
  const [theirs, conflict] = useState<Stored>();
  const [seconds, expire] = useState('');
  const [error, fail] = useState<unknown>();
  useUnsaved(typed.unsaved, SHOWN);
  useEffect(() => typed.refresh(versionOf(stored)), [stored]);
  const touch = calls.touch(keyspace, id, seconds === '' ? '0' : seconds);
  const storeOver = (etag: string | undefined) => calls.xattrs(keyspace, id, xattrs, etag ?? '');
  const save = async (etag: string | undefined) => {
    fail(undefined);
    conflict(undefined);
    try {
      const { headers } = await send(storeOver(etag));
      typed.rebase({ text: xattrs, etag: headers.get('ETag') ?? undefined });
      toast(words.saved(id));
      changed();
    } catch (failure) {
      const now = failure instanceof ApiError && failure.status === 412 ? await read(keyspace, id) : null;
      if (now === null) {
        fail(failure);
      } else {
        conflict(now);
      }
    }
  };
  return (
    <div class="halves">
      <section class="card pad stack tight">
        <h3>{words.attributes}</h3>
        <dl class="facts">
          <dt>{words.cas}</dt>
          <dd class="mono">{stored.etag.replaceAll('"', '')}</dd>
          <dt>{words.seqno}</dt>
          <dd class="mono">{stored.seqno}</dd>
          <dt>{words.vbucket}</dt>
          <dd class="mono">{stored.vbucket}</dd>
          <dt>{words.expiry}</dt>
          <dd>{stored.expiry === '' ? words.never : <Time at={stored.expiry} />}</dd>
        </dl>
        <div class="field">
          <label for="expiry">{words.expirySeconds}</label>
          <div class="row">
            <input
              id="expiry"
              inputMode="numeric"
              value={seconds}
              onInput={(event) => expire(event.currentTarget.value)}
            />
            <Act
              call={touch}
              done={words.expirySet}
              after={changed}
              failed={fail}
            >
              {words.setExpiry}
            </Act>
            <CopyAs call={touch} />
          </div>
        </div>
      </section>
      <section class="card pad stack tight">
        <div class="row between">
          <h3>{words.xattrs}</h3>
          <span class="row">
            <button type="button" class="button" disabled={!typed.unsaved} onClick={() => void save(base.etag)}>
              {text.actions.save}
            </button>
            <CopyAs call={storeOver(base.etag)} />
          </span>
        </div>
        <textarea
          aria-label={words.xattrs}
          rows={6}
          spellcheck={false}
          value={xattrs}
          onInput={(event) => typed.edit(event.currentTarget.value)}
        />
        {error === undefined ? null : <Problem error={error} />}
        {theirs === undefined ? null : (
          <Conflict
            title={words.conflict}
            theirs={theirs.xattrs}
            yours={xattrs}
            takeTheirs={() => {
              typed.show(versionOf(theirs));
              conflict(undefined);
            }}
            overwrite={() => void save(theirs.etag)}
          />
        )}
      </section>
    </div>
  );
}
