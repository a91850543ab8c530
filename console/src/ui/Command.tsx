import { commandLine } from '../api/cli';
import { type Call, curl } from '../api/http';
import { useSelf } from '../live/self';
import { text } from '../text';
import { copy } from './copy';

/** A command to copy. */
export function Command({ line }: { line: string }) {
  return (
    <div class="command">
      <code>{line}</code>
      <button type="button" class="button quiet" onClick={() => void copy(line)}>
        {text.actions.copy}
      </button>
    </div>
  );
}

/** What a call is in a terminal. */
export function CurlCommand({ call }: { call: Call }) {
  return <Command line={curl(call, useSelf())} />;
}

/** The commands that do what the button next to it does; cli is one that the call alone does not tell. */
export function CopyAs({ call, cli = commandLine(call) }: { call: Call; cli?: string | undefined }) {
  return (
    <details class="menu">
      <summary class="button quiet">{text.actions.copyAs}</summary>
      <div class="stack tight">
        <CurlCommand call={call} />
        {cli === undefined ? null : <Command line={cli} />}
      </div>
    </details>
  );
}
