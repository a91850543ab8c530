import { text } from '../../text';
import { Diff } from '../../ui/Diff';
import { pretty } from '../../ui/format';

const words = text.documents;

interface Props {
  theirs: string;
  yours: string;
  takeTheirs: () => void;
  overwrite: () => void;
}

/** Two writers changed a document: shows both, and loses neither. */
export function Conflict({ theirs, yours, takeTheirs, overwrite }: Props) {
  return (
    <div class="problem" role="alert">
      <strong>{words.conflict}</strong>
      <p class="soft">
        {`- ${words.theirs}, + ${words.yours}`}
      </p>
      <Diff before={pretty(theirs)} after={pretty(yours)} />
      <div class="row">
        <button type="button" class="button" onClick={takeTheirs}>
          {words.takeTheirs}
        </button>
        <button type="button" class="button danger" onClick={overwrite}>
          {words.overwrite}
        </button>
      </div>
    </div>
  );
}
