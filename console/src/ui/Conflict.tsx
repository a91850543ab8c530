import { text } from '../text';
import { Diff } from './Diff';
import { pretty } from './format';

const words = text.documents;

interface Props {
  title: string;
  theirs: string;
  yours: string;
  takeTheirs: () => void;
  overwrite: () => void;
}

/** Two writers changed the same: shows both, and loses neither. */
export function Conflict({ title, theirs, yours, takeTheirs, overwrite }: Props) {
  return (
    <div class="problem" role="alert">
      <strong>{title}</strong>
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
