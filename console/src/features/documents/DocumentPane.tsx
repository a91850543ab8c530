import { useState } from 'preact/hooks';
import { calls, isDefault } from '../../api/documents';
import { to } from '../../shell/router';
import { text } from '../../text';
import { Code } from '../../ui/Code';
import { CopyAs } from '../../ui/Command';
import { Conflict } from '../../ui/Conflict';
import { Confirm } from '../../ui/Dialog';
import { Loading } from '../../ui/Empty';
import { Problem } from '../../ui/Problem';
import { Attributes } from './Attributes';
import { type Draft, type Edited, useDraft } from './draft';
import { Revisions } from './Revisions';

const words = text.documents;

/** One document to read, edit and delete. */
export function DocumentPane(edited: Edited) {
  const { keyspace, id } = edited;
  const draft = useDraft(edited);
  const { stored, doc, error, theirs } = draft;
  if (stored === undefined) {
    return error === undefined ? <Loading label={text.loading} /> : <Problem error={error} retry={draft.load} />;
  }
  const readOnly = stored !== null && !stored.json;
  return (
    <section class="stack">
      <Head edited={edited} draft={draft} readOnly={readOnly} />
      {error === undefined ? null : <Problem error={error} />}
      {theirs === undefined ? null : (
        <Conflict
          title={words.conflict}
          theirs={theirs.body}
          yours={doc}
          takeTheirs={() => draft.take(theirs)}
          overwrite={() => draft.overwrite(theirs)}
        />
      )}
      {readOnly && <p class="soft">{words.binary}</p>}
      <Code
        doc={doc}
        label={words.body}
        language={readOnly ? 'text' : 'json'}
        readOnly={readOnly}
        changed={draft.edit}
        save={draft.save}
        lines={14}
      />
      {stored === null ? null : <Attributes keyspace={keyspace} id={id} stored={stored} changed={draft.load} />}
      {stored?.json !== true || !isDefault(keyspace) || id.startsWith('_') ? null : <Revisions bucket={keyspace.bucket} id={id} stored={stored} />}
    </section>
  );
}

function Head({ edited, draft, readOnly }: { edited: Edited; draft: Draft; readOnly: boolean }) {
  const { keyspace, id } = edited;
  const { name, stored, dirty } = draft;
  const [removing, remove] = useState(false);
  return (
    <div class="row between">
      {id === '' ? (
        <input
          class="mono"
          aria-label={words.id}
          placeholder={words.id}
          value={name}
          onInput={(event) => draft.rename(event.currentTarget.value)}
        />
      ) : (
        <h2 class="mono break">{id}</h2>
      )}
      <div class="row">
        <button type="button" class="button primary" disabled={!dirty || readOnly || name === ''} onClick={draft.save}>
          {text.actions.save}
        </button>
        {stored == null ? null : (
          <>
            <button type="button" class="button danger" onClick={() => remove(true)}>
              {text.actions.delete}
            </button>
            <a class="button quiet" href={to(['traces'], { document: id })}>
              {text.traces.ofDocument}
            </a>
          </>
        )}
        <CopyAs call={dirty ? draft.call : calls.read(keyspace, name)} />
      </div>
      {removing ? (
        <Confirm
          title={words.remove}
          body={words.removeBody}
          name={id}
          verb={text.actions.delete}
          call={draft.removal}
          close={() => remove(false)}
          act={draft.remove}
        />
      ) : null}
    </div>
  );
}
