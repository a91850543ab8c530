import { command, tracesPath } from '../../api/traces';
import { CopyAs } from '../../ui/Command';
import { text } from '../../text';
import type { Shown } from '../functions/FunctionPage';
import { Found } from './Found';

/** The newest traces in which the function took part. */
export function TracesTab({ name, definition }: Shown) {
  const bucket = definition.depcfg.source_bucket;
  return (
    <div class="stack">
      <div class="row between">
        <p class="soft grow">{text.traces.says}</p>
        <CopyAs call={{ method: 'GET', path: tracesPath('function', name) }} cli={command('function', name)} />
      </div>
      <Found by="function" value={name} {...(bucket === undefined ? {} : { bucket })} />
    </div>
  );
}
