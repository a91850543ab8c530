import { text } from '../../text';

const words = text.dryRun;

/** The answers of servers and databases that the code gets, in JSON. Wide, because lines of JSON are long. */
export function AnswersField({ answers, set }: { answers: string; set: (value: string) => void }) {
  return (
    <div class="field">
      <label for="dry-answers">{words.answers}</label>
      <textarea
        id="dry-answers"
        rows={answers === '' ? 2 : 12}
        spellcheck={false}
        value={answers}
        aria-describedby="dry-answers-hint"
        onInput={(event) => set(event.currentTarget.value)}
      />
      <span class="hint" id="dry-answers-hint">
        {words.answersHint}
      </span>
    </div>
  );
}

/** Whether answers that are not given are asked for. */
export function RecordField({ record, set }: { record: boolean; set: (value: boolean) => void }) {
  return (
    <div class="field check">
      <input
        id="dry-record"
        type="checkbox"
        checked={record}
        aria-describedby="dry-record-hint"
        onChange={(event) => set(event.currentTarget.checked)}
      />
      <label for="dry-record">{words.record}</label>
      <span class="hint" id="dry-record-hint">
        {words.recordHint}
      </span>
    </div>
  );
}
