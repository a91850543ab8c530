import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { calls, insightPath, type Insights, type Settings } from '../../api/functions';
import { send } from '../../api/http';
import { useLive } from '../../live/live';
import { useUnsaved } from '../../shell/edits';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Code } from '../../ui/Code';
import { CopyAs } from '../../ui/Command';
import type { Finding } from '../../ui/editor/mount';
import { Problem } from '../../ui/Problem';
import { Status } from '../../ui/Status';
import { useCheck } from './check';
import { completion, KNOWN } from './completion';
import { findings } from './findings';
import type { Shown } from './FunctionPage';
import { lineMarks } from './insight';

const INSIGHT_MILLIS = 3000;

/** The code with what the server says about each line: errors, runs and failures. */
export function CodeTab({ name, definition, state, reload }: Shown) {
  const [doc, edit] = useState(definition.appcode);
  const [refused, refuse] = useState<unknown>();
  const saved = useRef(definition.appcode);
  const insight = useLive<Insights>(insightPath(name), INSIGHT_MILLIS);
  const dirty = doc !== definition.appcode;
  const stopped = state.app.composite_status === 'undeployed' || state.app.composite_status === 'paused';
  const moving = !stopped && state.app.composite_status !== 'deployed';
  useEffect(() => {
    if (doc === saved.current) {
      edit(definition.appcode);
    }
    saved.current = definition.appcode;
  }, [definition.appcode]);
  useUnsaved(dirty);
  const call = stopped ? calls.code(name, doc) : calls.putLive({ ...definition, appcode: doc });
  const type = (code: string) => {
    edit(code);
    refuse(undefined); // it is about other code
  };
  const save = () => {
    refuse(undefined);
    void send(call).then(
      () => {
        toast(text.functions.saved(name));
        reload();
      },
      (error: unknown) => refuse(error),
    );
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
          <button type="button" class="button primary" disabled={!dirty || moving} onClick={save}>
            {stopped ? text.actions.save : text.functions.saveWhileDeployed}
          </button>
          <CopyAs call={call} />
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
      <Code
        doc={doc}
        label={text.functions.code}
        language="javascript"
        changed={type}
        save={save}
        findings={found}
        marks={marks}
        complete={complete}
        known={KNOWN}
        lines={18}
      />
    </div>
  );
}
