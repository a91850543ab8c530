import { useMemo, useState } from 'preact/hooks';
import { calls, type Canary, type Settings } from '../../api/functions';
import { send } from '../../api/http';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { useAttempt } from '../../ui/attempt';
import { Code } from '../../ui/Code';
import { CopyAs } from '../../ui/Command';
import { Problem } from '../../ui/Problem';
import { completion, KNOWN } from '../functions/completion';
import { findings } from '../functions/findings';
import type { Shown } from '../functions/FunctionPage';
import { CanaryFields } from './CanaryFields';
import { requestOf, USUAL, type Wanted } from './request';

const words = text.canary;

/** Which code to try, on what share, and when it ends by itself. */
export function CanaryForm({ name, definition, state, changed }: Shown & { changed: () => void }) {
  const [draft, edit] = useState(definition.appcode);
  const [wanted, want] = useState<Wanted>(USUAL);
  const { busy, refused, attempt } = useAttempt();
  const drafted = draft !== definition.appcode;
  const call = calls.startCanary(name, requestOf(wanted, drafted ? draft : undefined));
  const start = (event: Event) => {
    event.preventDefault();
    void attempt(async () => {
      toast(words.started((await send<Canary>(call)).body.version));
      changed();
    });
  };
  const found = useMemo(() => findings(refused), [refused]);
  const complete = useMemo(() => completion(definition.depcfg, definition.settings as Settings | undefined), [definition]);
  const ready = drafted || wanted.version !== '';
  return (
    <form class="stack" onSubmit={start}>
      {refused === undefined ? null : <Problem error={refused} />}
      <div class="split">
        <Code
          doc={draft}
          label={words.code}
          language="javascript"
          changed={edit}
          findings={found}
          complete={complete}
          known={KNOWN}
          lines={18}
        />
        <div class="card pad stack">
          <CanaryFields name={name} current={state.app.version} wanted={wanted} want={want} drafted={drafted} />
          <div class="row">
            <button type="submit" class="button primary" disabled={!ready} aria-disabled={busy}>
              {words.start}
            </button>
            {ready ? <CopyAs call={call} /> : null}
          </div>
        </div>
      </div>
    </form>
  );
}
