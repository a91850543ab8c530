import { debugPath, type DebugState } from '../../api/functions';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { Loading } from '../../ui/Empty';
import { Problem } from '../../ui/Problem';
import type { Shown } from '../functions/FunctionPage';
import { DebuggerForm } from './DebuggerForm';
import { Ended, Session } from './Session';

const words = text.debug;

/** The answer while this node has no debugger of the function. */
const NONE = 404;

/** A debugger of the function: start it, find its address, stop it. */
export function DebuggerTab({ name, definition }: Shown) {
  const live = useLive<DebugState>(debugPath(name));
  const none = live.error?.status === NONE;
  if (!none && live.data === undefined) {
    return live.error === undefined ? <Loading label={text.loading} /> : <Problem error={live.error} retry={live.refresh} />;
  }
  const session = none ? undefined : live.data;
  return (
    <div class="stack">
      <p class="soft">{words.says}</p>
      {session === undefined || session.state === 'ended' ? (
        <DebuggerForm name={name} ofEvents={definition.depcfg.source_bucket === undefined} changed={live.refresh} />
      ) : (
        <Session name={name} session={session} changed={live.refresh} />
      )}
      {session?.state === 'ended' ? <Ended session={session} /> : null}
    </div>
  );
}
