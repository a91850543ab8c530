import { text } from '../../text';

const words = text.dryRun;

interface Props {
  record: boolean;
  answers: string;
  set: { record: (value: boolean) => void; answers: (value: string) => void };
}

/** What the code gets from servers and databases: answers that are given, and whether others are asked for. */
export function AnswersFields({ record, answers, set }: Props) {
  return (
    <>
      <div class="field check">
        <input
          id="dry-record"
          type="checkbox"
          checked={record}
          aria-describedby="dry-record-hint"
          onChange={(event) => set.record(event.currentTarget.checked)}
        />
        <label for="dry-record">{words.record}</label>
        <span class="hint" id="dry-record-hint">
          {words.recordHint}
        </span>
      </div>
      <div class="field">
        <label for="dry-answers">{words.answers}</label>
        <textarea
          id="dry-answers"
          rows={answers === '' ? 2 : 8}
          spellcheck={false}
          value={answers}
          aria-describedby="dry-answers-hint"
          onInput={(event) => set.answers(event.currentTarget.value)}
        />
        <span class="hint" id="dry-answers-hint">
          {words.answersHint}
        </span>
      </div>
    </>
  );
}
