import { useState } from 'preact/hooks';
import { calls, type DeadLetters, type Debug, lettersPath, type VersionPage, versionsPath } from '../../api/functions';
import { send } from '../../api/http';
import { SLOW_MILLIS, useLive } from '../../live/live';
import { useParameter } from '../../shell/router';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { useAttempt } from '../../ui/attempt';
import { CopyAs } from '../../ui/Command';
import { Problem } from '../../ui/Problem';
import { TextField } from '../../ui/TextField';

const words = text.debug;

const INPUTS = ['next', 'document', 'letter'] as const;
/** Those of a function on event streams. */
const EVENT_INPUTS = ['next', 'event', 'letter'] as const;
type Input = (typeof INPUTS)[number] | (typeof EVENT_INPUTS)[number];

interface Wanted {
  input: Input;
  /** Of a document, or the name of a stream. */
  id: string;
  /** Of an event in its stream. */
  index: string;
  letter: string;
  /** The number of a version; empty for what is saved. */
  version: string;
}

function requestOf({ input, id, index, letter, version }: Wanted, minutes: string): Debug {
  const subject = {
    next: { next: true },
    document: { document: { id } },
    event: { event: { stream: id, index: Number(index) } },
    letter: { letter },
  }[input];
  return { ...subject, ...(version === '' ? {} : { version: Number(version) }), minutes: Number(minutes) };
}

interface Props {
  name: string;
  /** Whether the function handles events of streams. */
  ofEvents: boolean;
  changed: () => void;
}

/** What the debugger is to stop at, and with which code. */
export function DebuggerForm({ name, ofEvents, changed }: Props) {
  const letters = useLive<DeadLetters>(lettersPath(name), SLOW_MILLIS);
  const versions = useLive<VersionPage>(versionsPath(name), SLOW_MILLIS);
  const [input, choose] = useParameter('of', 'next');
  const [id, identify] = useParameter('id');
  const [index, place] = useParameter('index', '0');
  const [letter, pick] = useParameter('letter');
  const [version, select] = useParameter('version');
  const [minutes, limit] = useState('15');
  const { busy, refused, attempt } = useAttempt();
  const wanted: Wanted = { input: input as Input, id, index, letter, version };
  const call = calls.debug(name, requestOf(wanted, minutes));
  const start = (event: Event) => {
    event.preventDefault();
    void attempt(async () => {
      await send(call);
      toast(words.started);
      changed();
    });
  };
  const kept = letters.data?.dead_letters ?? [];
  return (
    <form class="card pad stack" onSubmit={(event) => void start(event)}>
      <fieldset class="stack tight">
        <legend>{words.handle}</legend>
        {(ofEvents ? EVENT_INPUTS : INPUTS).map((one) => (
          <label key={one} class="row">
            <input type="radio" name="input" checked={one === input} onChange={() => choose(one)} />
            {words.inputs[one]}
          </label>
        ))}
      </fieldset>
      <div class="fields">
        {input === 'document' ? <TextField id="debug-id" label={words.id} required value={id} change={identify} /> : null}
        {input === 'event' ? (
          <>
            <TextField id="debug-stream" label={words.stream} required value={id} change={identify} />
            <TextField id="debug-index" type="number" label={words.index} required value={index} change={place} />
          </>
        ) : null}
        {input === 'letter' ? (
          <div class="field">
            <label for="debug-letter">{words.letter}</label>
            <select id="debug-letter" required value={letter} onChange={(event) => pick(event.currentTarget.value)}>
              <option value="">{kept.length === 0 ? words.noLetters : words.chooseLetter}</option>
              {kept.map((one) => (
                <option key={one.letter} value={one.letter}>
                  {`${one.id ?? one.letter}: ${one.error}`}
                </option>
              ))}
            </select>
          </div>
        ) : null}
        <div class="field">
          <label for="debug-version">{words.with}</label>
          <select id="debug-version" value={version} onChange={(event) => select(event.currentTarget.value)}>
            <option value="">{words.saved}</option>
            {(versions.data?.versions ?? []).map((one) => (
              <option key={one.version} value={String(one.version)}>
                {words.version(one.version)}
              </option>
            ))}
          </select>
        </div>
        <TextField id="debug-minutes" type="number" label={words.minutes} required value={minutes} change={limit} />
      </div>
      {refused === undefined ? null : <Problem error={refused} />}
      <div class="row">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {words.start}
        </button>
        <CopyAs call={call} cli={command(name, wanted)} />
      </div>
    </form>
  );
}

/** The same on the command line. */
function command(name: string, { input, id, index, letter, version }: Wanted): string {
  const subject = {
    next: '--next',
    document: `--id ${id}`,
    event: `--event ${id}/${index}`,
    letter: `--letter ${letter}`,
  }[input];
  return `./millrace fn debug ${name} ${subject}${version === '' ? '' : ` --version ${version}`}`;
}
