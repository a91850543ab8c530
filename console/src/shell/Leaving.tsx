import { useEffect, useState } from 'preact/hooks';
import { text } from '../text';
import { Dialog } from '../ui/Dialog';
import { onQuestion } from './edits';

/** Asks before what is not saved is discarded. */
export function Leaving() {
  const [move, ask] = useState<{ go: () => void }>();
  useEffect(() => onQuestion((go) => ask({ go })), []);
  if (move === undefined) {
    return null;
  }
  const stay = () => ask(undefined);
  const discard = () => {
    stay();
    move.go();
  };
  return (
    <Dialog title={text.leaving.title} close={stay}>
      <p>{text.leaving.body}</p>
      <div class="actions">
        <button type="button" class="button" autofocus onClick={stay}>
          {text.leaving.stay}
        </button>
        <button type="button" class="button danger" onClick={discard}>
          {text.leaving.discard}
        </button>
      </div>
    </Dialog>
  );
}
