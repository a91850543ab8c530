import { useMemo, useState } from 'preact/hooks';
import type { Settings } from '../../api/functions';
import { send } from '../../api/http';
import { useParameter } from '../../shell/router';
import { text } from '../../text';
import { useAttempt } from '../../ui/attempt';
import { Code } from '../../ui/Code';
import { CopyAs } from '../../ui/Command';
import { Problem } from '../../ui/Problem';
import { useCheck } from '../functions/check';
import { completion, KNOWN } from '../functions/completion';
import { findings } from '../functions/findings';
import type { Shown } from '../functions/FunctionPage';
import { withRecorded } from './answers';
import { AnswersField, RecordField } from './AnswersFields';
import { callOf, type DryRunResult, type Input, type Wanted } from './dryRun';
import { Inputs } from './Inputs';
import { Outcome } from './Outcome';

const words = text.dryRun;

/** Runs saved or drafted code on real changes and shows what it would do; nothing takes effect. */
export function DryRunTab({ name, definition }: Shown) {
  const ofEvents = definition.depcfg.source_bucket === undefined;
  const [input, choose] = useParameter('of', ofEvents ? 'event' : 'document');
  const [id, identify] = useParameter('id');
  const [index, place] = useParameter('index', '0');
  const [type, typed] = useState('');
  const [version, select] = useParameter('version');
  const [last, limit] = useState('100');
  const [body, give] = useState('{\n  \n}');
  const [draft, edit] = useState(definition.appcode);
  const [compare, withSaved] = useState(false);
  const [record, asking] = useState(false);
  const [answers, answer] = useState('');
  const [outcome, show] = useState<DryRunResult>();
  const { busy, refused, attempt } = useAttempt();
  const drafted = draft !== definition.appcode;
  const wanted: Wanted = {
    input: input as Input,
    id,
    index,
    type,
    last,
    body,
    version,
    draft: drafted ? draft : undefined,
    compare: compare && (drafted || version !== ''),
    record,
    answers,
  };
  const run = () =>
    attempt(async () => {
      show(undefined);
      const { body: ran } = await send<DryRunResult>(callOf(name, wanted));
      show(ran);
      answer((typed) => (typed === wanted.answers ? withRecorded(typed, ran.answers ?? {}) : typed));
    });
  const said = useMemo(() => findings(refused), [refused]);
  const checked = useCheck(name, draft, definition.appcode);
  const found = checked.length === 0 ? said : checked;
  const complete = useMemo(() => completion(definition.depcfg, definition.settings as Settings | undefined), [definition]);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <p class="soft">{words.says}</p>
      <div class="split">
        <div class="stack">
          <Code
            doc={draft}
            label={words.code}
            language="javascript"
            changed={edit}
            run={() => void run()}
            findings={found}
            complete={complete}
            known={KNOWN}
            lines={12}
          />
          <AnswersField answers={answers} set={answer} />
        </div>
        <div class="card pad stack">
          <Inputs
            wanted={wanted}
            name={name}
            ofEvents={ofEvents}
            set={{ input: choose, id: identify, index: place, type: typed, last: limit, body: give, version: select, compare: withSaved }}
            drafted={drafted}
          />
          <RecordField record={record} set={asking} />
          <div class="row">
            <button type="submit" class="button primary" aria-disabled={busy}>
              {busy ? words.running : words.run}
            </button>
            <CopyAs call={copied(name, wanted)} />
          </div>
        </div>
      </div>
      {refused === undefined ? null : <Problem error={refused} />}
      {outcome === undefined ? null : <Outcome outcome={outcome} />}
    </form>
  );
}

/** The command; while the given document or the answers are not JSON, without them. */
function copied(name: string, wanted: Wanted) {
  try {
    return callOf(name, wanted);
  } catch {
    return callOf(name, { ...wanted, body: 'null', answers: '' });
  }
}
