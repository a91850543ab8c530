import { useState } from 'preact/hooks';
import { calls, type Keyspace } from '../../api/documents';
import { send } from '../../api/http';
import { useUnsaved } from '../../shell/edits';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Act } from '../../ui/Act';
import { CopyAs } from '../../ui/Command';
import { pretty } from '../../ui/format';
import { Problem } from '../../ui/Problem';
import { Time } from '../../ui/Time';
import { SHOWN } from './draft';
import type { Stored } from './stored';

const words = text.documents;

/** What belongs to a document besides its body: version, position, expiry, extended attributes. */
export function Attributes(props: { keyspace: Keyspace; id: string; stored: Stored; changed: () => void }) {
  const { keyspace, id, stored, changed } = props;
  const [xattrs, edit] = useState(pretty(stored.xattrs));
  const [seconds, expire] = useState('');
  const [error, fail] = useState<unknown>();
  useUnsaved(xattrs !== pretty(stored.xattrs), SHOWN);
  const touch = calls.touch(keyspace, id, seconds === '' ? '0' : seconds);
  const store = calls.xattrs(keyspace, id, xattrs, stored.etag);
  const saveXattrs = () =>
    void send(store).then(
      () => {
        fail(undefined);
        toast(words.saved(id));
        changed();
      },
      (failure: unknown) => fail(failure),
    );
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
            <button type="button" class="button" disabled={xattrs === pretty(stored.xattrs)} onClick={saveXattrs}>
              {text.actions.save}
            </button>
            <CopyAs call={store} />
          </span>
        </div>
        <textarea
          aria-label={words.xattrs}
          rows={6}
          spellcheck={false}
          value={xattrs}
          onInput={(event) => edit(event.currentTarget.value)}
        />
        {error === undefined ? null : <Problem error={error} />}
      </section>
    </div>
  );
}
