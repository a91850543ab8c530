import { type VersionPage, versionsPath } from '../../api/functions';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { TextField } from '../../ui/TextField';
import { EVENT_INPUTS, INPUTS, type Wanted } from './dryRun';

const words = text.dryRun;
const VERSIONS_MILLIS = 10_000;

interface Props {
  wanted: Wanted;
  name: string;
  /** Whether the function handles events of streams. */
  ofEvents: boolean;
  /** Whether the code in the editor is not the saved code. */
  drafted: boolean;
  set: {
    input: (value: string) => void;
    id: (value: string) => void;
    index: (value: string) => void;
    type: (value: string) => void;
    last: (value: string) => void;
    body: (value: string) => void;
    version: (value: string) => void;
    compare: (value: boolean) => void;
  };
}

/** What a dry run handles, and with which code. */
export function Inputs({ wanted, name, ofEvents, drafted, set }: Props) {
  const versions = useLive<VersionPage>(versionsPath(name), VERSIONS_MILLIS);
  const { input, id, index, type, last, body, version, compare } = wanted;
  return (
    <>
      <fieldset class="stack tight">
        <legend>{words.handle}</legend>
        {(ofEvents ? EVENT_INPUTS : INPUTS).map((one) => (
          <label key={one} class="row">
            <input type="radio" name="input" checked={one === input} onChange={() => set.input(one)} />
            {words.inputs[one]}
          </label>
        ))}
      </fieldset>
      {input === 'last' ? (
        <TextField id="dry-last" type="number" label={words.last} required value={last} change={set.last} />
      ) : (
        <TextField id="dry-id" label={words.names[input]} required value={id} change={set.id} />
      )}
      {input === 'event' ? (
        <TextField id="dry-index" type="number" label={words.index} required value={index} change={set.index} />
      ) : null}
      {input === 'given' ? <TextField id="dry-type" label={words.type} required value={type} change={set.type} /> : null}
      {input === 'change' || input === 'given' ? (
        <div class="field">
          <label for="dry-body">{words.body}</label>
          <textarea id="dry-body" rows={5} spellcheck={false} value={body} onInput={(event) => set.body(event.currentTarget.value)} />
        </div>
      ) : null}
      <div class="field">
        <label for="dry-version">{words.with}</label>
        <select
          id="dry-version"
          disabled={drafted}
          value={drafted ? '' : version}
          onChange={(event) => set.version(event.currentTarget.value)}
        >
          <option value="">{drafted ? words.draft : words.saved}</option>
          {(versions.data?.versions ?? []).map((one) => (
            <option key={one.version} value={String(one.version)}>
              {words.version(one.version)}
            </option>
          ))}
        </select>
      </div>
      {drafted || version !== '' ? (
        <div class="field check">
          <input id="dry-compare" type="checkbox" checked={compare} onChange={(event) => set.compare(event.currentTarget.checked)} />
          <label for="dry-compare">{words.compare}</label>
        </div>
      ) : null}
    </>
  );
}
