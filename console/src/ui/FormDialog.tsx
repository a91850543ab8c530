import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Call } from '../api/http';
import { text } from '../text';
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
  const [refused, refuse] = useState<unknown>();
  const [busy, work] = useState(false);
  const act = async (event: Event) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    refuse(undefined);
    work(true);
    try {
      await submit();
    } catch (error) {
      refuse(error);
    } finally {
      work(false);
    }
  };
  return (
    <Dialog title={title} close={close}>
      <form class="stack" onSubmit={(event) => void act(event)}>
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
