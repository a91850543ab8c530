import type { ComponentChildren } from 'preact';
import type { Call } from '../api/http';
import { text } from '../text';
import { useAttempt } from './attempt';
import { CopyAs } from './Command';
import { Dialog } from './Dialog';
import { Problem } from './Problem';

interface Props {
  title: string;
  verb: string;
  /** What submitting does, to copy. */
  command?: Call;
  submit: () => Promise<void>;
  close: () => void;
  children: ComponentChildren;
}

/** A form in a dialog: submits once at a time, and shows in place what the server refuses. */
export function FormDialog({ title, verb, command, submit, close, children }: Props) {
  const { busy, refused, attempt } = useAttempt();
  const act = (event: Event) => {
    event.preventDefault();
    void attempt(submit);
  };
  return (
    <Dialog title={title} close={close}>
      <form class="stack" onSubmit={act}>
        {children}
        {refused === undefined ? null : <Problem error={refused} />}
        <div class="actions">
          {command === undefined ? null : <CopyAs call={command} />}
          <button type="button" class="button" onClick={close}>
            {text.actions.cancel}
          </button>
          <button type="submit" class="button primary" aria-disabled={busy}>
            {verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
