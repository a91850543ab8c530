import { useEffect, useMemo, useState } from 'preact/hooks';
import { calls, type Definition, definition as readDefinition, insightPath, type Insights, type Settings } from '../../api/functions';
import { send } from '../../api/http';
import { useLive } from '../../live/live';
import { useUnsaved } from '../../shell/edits';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Code } from '../../ui/Code';
import { CopyAs } from '../../ui/Command';
import { Conflict } from '../../ui/Conflict';
import type { Finding } from '../../ui/editor/mount';
import { Problem } from '../../ui/Problem';
import { Status } from '../../ui/Status';
import { useTyped } from '../../ui/typed';
import { useCheck } from './check';
import { completion, KNOWN } from './completion';
import { findings } from './findings';
import type { Shown } from './FunctionPage';
import { lineMarks } from './insight';

const INSIGHT_MILLIS = 3000;

/** The code with what the server says about each line: errors, runs and failures. */
export function CodeTab({ name, definition, state, reload }: Shown) {
  const typed = useTyped({ text: definition.appcode });
  const { text: doc, unsaved: dirty } = typed;
  const [refused, refuse] = useState<unknown>();
  const [theirs, conflict] = useState<string>();
  const insight = useLive<Insights>(insightPath(name), INSIGHT_MILLIS);
  const stopped = state.app.composite_status === 'undeployed' || state.app.composite_status === 'paused';
  const moving = !stopped && (state.app.composite_status !== 'deployed' || state.app.swapping === true);
  useEffect(() => typed.refresh({ text: definition.appcode }), [definition.appcode]);
  useUnsaved(dirty);
  const callOf = (stored: Definition) => (stopped ? calls.code(name, doc) : calls.putLive({ ...stored, appcode: doc }));
  const type = (code: string) => {
    typed.edit(code);
    refuse(undefined); // it is about other code
  };
  /** Stores the code over the code that was read: with what else is stored by now, and not over another writer's code. */
  const save = async (read: string) => {
    refuse(undefined);
    conflict(undefined);
    try {
      const stored = await readDefinition(name);
      if (stored.appcode !== read) {
        conflict(stored.appcode);
        return;
      }
      await send(callOf(stored));
      typed.rebase({ text: doc });
      toast(text.functions.saved(name));
      reload();
    } catch (failure) {
      refuse(failure);
    }
  };
  const said = useMemo(() => findings(refused), [refused]);
  const checked = useCheck(name, doc, definition.appcode);
  const found: Finding[] = checked.length === 0 ? said : checked;
  const [first] = found;
  const lines = Object.values(insight.data ?? {})[0]?.lines; // by the name without its scope
  const marks = useMemo(() => (dirty || lines === undefined ? new Map() : lineMarks(lines)), [dirty, JSON.stringify(lines)]);
  const complete = useMemo(() => completion(definition.depcfg, definition.settings as Settings | undefined), [definition]);
  return (
    <div class="stack">
      <div class="row between">
        <div class="row">
          <button type="button" class="button primary" disabled={!dirty || moving} onClick={() => void save(typed.base.text)}>
            {stopped ? text.actions.save : text.functions.saveWhileDeployed}
          </button>
          <CopyAs call={callOf(definition)} />
          {dirty ? <Status tone="warn" shape="ring" word={text.functions.unsaved} /> : null}
        </div>
        {first === undefined ? null : (
          <span class="tone-failed" role="status">
            {text.functions.problems(found.length)}, {text.letters.at(first.line, first.column)}
            {refused === undefined ? `: ${first.message}` : ''}
          </span>
        )}
        {first === undefined && !stopped ? <span class="soft">{text.functions.runningCode}</span> : null}
      </div>
      {refused === undefined ? null : <Problem error={refused} />}
      {theirs === undefined ? null : (
        <Conflict
          title={text.functions.conflict}
          theirs={theirs}
          yours={doc}
          takeTheirs={() => {
            typed.show({ text: theirs });
            conflict(undefined);
          }}
          overwrite={() => void save(theirs)}
        />
      )}
      <Code
        doc={doc}
        label={text.functions.code}
        language="javascript"
        changed={type}
        save={() => void save(typed.base.text)}
        findings={found}
        marks={marks}
        complete={complete}
        known={KNOWN}
        lines={18}
      />
    </div>
  );
}
