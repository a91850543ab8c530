import { type Call, curl } from '../api/http';
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

/** The commands that do what the button next to it does. */
export function CopyAs({ call, cli }: { call: Call; cli?: string }) {
  return (
    <details class="menu">
      <summary class="button quiet">{text.actions.copyAs}</summary>
      <div class="stack tight">
        <Command line={curl(call)} />
        {cli === undefined ? null : <Command line={cli} />}
      </div>
    </details>
  );
}
