import { calls, type DebugState } from '../../api/functions';
import { text } from '../../text';
import { Act } from '../../ui/Act';
import { Command, CopyAs } from '../../ui/Command';
import { Problem } from '../../ui/Problem';
import { Status } from '../../ui/Status';
import { Time } from '../../ui/Time';
import { Ran } from '../dryrun/Outcome';

const words = text.debug;

/** A debugger that waits or runs: its addresses, and the way to end it. */
export function Session({ name, session, changed }: { name: string; session: DebugState; changed: () => void }) {
  const { state, devtools = '', url = '', ends } = session;
  const configuration = JSON.stringify({ type: 'node', request: 'attach', name, websocketAddress: url });
  const port = new URL(url === '' ? 'ws://127.0.0.1' : url).port;
  return (
    <section class="card pad stack">
      <div class="row between">
        <div class="row" role="status">
          <Status tone="busy" shape="spinner" word={words.states[state] ?? state} />
          <span class="soft">
            {words.ends} <Time at={ends} />
          </span>
        </div>
        <div class="actions">
          <Act class="button danger" call={calls.endDebugger(name)} done={words.stopped} after={changed}>
            {words.stop}
          </Act>
          <CopyAs call={calls.endDebugger(name)} />
        </div>
      </div>
      <div class="stack tight">
        <h2>{words.open}</h2>
        <Command line={devtools} />
        <p class="soft">{words.openHint}</p>
      </div>
      <div class="stack tight">
        <h2>{words.attach}</h2>
        <Command line={configuration} />
        <p class="soft break">
          {words.far} {`${port}:127.0.0.1:${port} HOST`}
        </p>
      </div>
    </section>
  );
}

/** What the code would have done, or why the debugger ended early. */
export function Ended({ session: { invocation, error } }: { session: DebugState }) {
  return (
    <section class="stack" role="status" aria-label={words.outcome}>
      <h2>{words.states['ended']}</h2>
      {error === undefined ? null : <Problem error={error} />}
      {invocation === undefined ? null : <Ran invocation={invocation} />}
    </section>
  );
}
