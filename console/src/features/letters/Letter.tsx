import { useEffect, useMemo, useState } from 'preact/hooks';
import { calls as documents, DEFAULT } from '../../api/documents';
import { calls, type DeadLetter, letter as read, type Replayed } from '../../api/functions';
import { ApiError, send } from '../../api/http';
import { to } from '../../shell/router';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Act } from '../../ui/Act';
import { Code } from '../../ui/Code';
import { CopyAs } from '../../ui/Command';
import { pretty } from '../../ui/format';
import { Problem } from '../../ui/Problem';
import { findings } from '../functions/findings';
import type { Shown } from '../functions/FunctionPage';

interface Tried {
  info: { result: string; dropped: boolean; error?: string; line?: number; column?: number; stack?: string };
}

/** What is shown of a dead letter in its list: the document, or the timer. */
export const nameOf = (letter: DeadLetter) => letter.id ?? `${letter.callback}(${letter.reference})`;

/** One dead letter: the document then and now, and a draft of the code to try on it. */
export function Letter({ shown, letter, changed }: { shown: Shown; letter: DeadLetter; changed: () => void }) {
  const { name, definition } = shown;
  const [full, set] = useState<DeadLetter>(letter);
  const [now, setNow] = useState<string | null>();
  const [draft, edit] = useState(definition.appcode);
  const [tried, fail] = useState<unknown>();
  useEffect(() => {
    void read(name, letter.letter).then(set, () => undefined);
    const bucket = definition.depcfg.source_bucket;
    if (letter.id !== undefined && bucket !== undefined) {
      const keyspace = { bucket, scope: letter.scope ?? DEFAULT, collection: letter.collection ?? DEFAULT };
      void fetchText(documents.read(keyspace, letter.id)).then(setNow);
    }
  }, [letter.letter]);
  const attempt = () => {
    fail(undefined);
    void send<Tried>(calls.replay(name, letter.letter, draft)).then(
      ({ body: { info } }) => {
        if (info.error === undefined) {
          toast(text.letters.tried.success);
          changed();
        } else {
          fail(new ApiError(0, info.result, info.error, '', { errors: [{ ...info, message: info.error }] }, calls.replay(name)));
        }
      },
      (error: unknown) => fail(error),
    );
  };
  const attemptAll = () => {
    fail(undefined);
    void send<Replayed>(calls.replay(name, undefined, draft)).then(
      ({ body: { info } }) => {
        const { handled = 0, failed = 0, left = 0, failures = [] } = info;
        toast(text.letters.triedAll(handled, failed, left), failed > 0);
        const [first] = failures;
        if (first !== undefined) {
          fail(new ApiError(0, first.letter, first.error, '', { errors: [{ ...first, message: first.error }] }, calls.replay(name)));
        }
        changed();
      },
      (error: unknown) => fail(error),
    );
  };
  const found = useMemo(
    () =>
      tried === undefined && letter.line !== undefined && draft === definition.appcode
        ? [{ line: letter.line, column: letter.column ?? 1, message: letter.error, severity: 'error' as const }]
        : findings(tried),
    [tried, draft === definition.appcode],
  );
  return (
    <div class="stack letter-open">
      <div class="row">
        <Act call={calls.replay(name, letter.letter)} done={text.letters.replaying('1')} after={changed}>
          {text.letters.replay}
        </Act>
        <Act
          class="button danger"
          call={calls.drop(name, letter.letter)}
          confirm={{ title: text.letters.drop, body: text.letters.dropOneBody, name: nameOf(letter) }}
          after={changed}
        >
          {text.letters.drop}
        </Act>
        <CopyAs call={calls.replay(name, letter.letter)} />
        {letter.trace ? (
          <a class="button quiet" href={to(['traces', letter.trace])}>
            {text.traces.ofLetter}
          </a>
        ) : null}
        <span class="soft">
          {text.letters.attempts}: {letter.attempts ?? 1}
          {letter.line === undefined ? '' : `, ${text.letters.at(letter.line, letter.column ?? 1)}`}
        </span>
      </div>
      {full.stack ? <pre class="block">{full.stack}</pre> : null}
      {letter.kind === 'timer' ? null : (
        <div class="halves">
          <div class="stack tight">
            <h3>{text.letters.then}</h3>
            <pre class="block">{full.document === undefined ? text.letters.tooLarge : pretty(full.document)}</pre>
          </div>
          <div class="stack tight">
            <h3>{text.letters.now}</h3>
            <pre class="block">{now === undefined ? text.loading : now === null ? text.letters.gone : pretty(now)}</pre>
          </div>
        </div>
      )}
      <div class="stack tight">
        <div class="row between">
          <h3>{text.letters.draft}</h3>
          <span class="row">
            <button type="button" class="button" onClick={attempt}>
              {text.letters.tryDraft}
            </button>
            <button type="button" class="button" onClick={attemptAll}>
              {text.letters.tryAll}
            </button>
            <CopyAs call={calls.replay(name, letter.letter, draft)} />
          </span>
        </div>
        {tried === undefined ? null : <Problem title={text.letters.tried.failed} error={tried} />}
        <Code doc={draft} label={text.letters.draft} language="javascript" changed={edit} findings={found} lines={8} />
      </div>
    </div>
  );
}

async function fetchText(call: ReturnType<typeof documents.read>): Promise<string | null> {
  try {
    return (await send<string>({ ...call, raw: true })).body;
  } catch {
    return null;
  }
}
