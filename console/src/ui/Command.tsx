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

interface Props {
  call: Call;
  /** A command that the call alone does not tell. */
  cli?: string | undefined;
  /** What a screen reader says where the text on the button is not enough. */
  label?: string;
}

/** The commands that do what the button next to it does. */
export function CopyAs({ call, cli = commandLine(call), label }: Props) {
  return (
    <details class="menu">
      <summary class="button quiet" aria-label={label}>
        {text.actions.copyAs}
      </summary>
      <div class="stack tight">
        <CurlCommand call={call} />
        {cli === undefined ? null : <Command line={cli} />}
      </div>
    </details>
  );
}
