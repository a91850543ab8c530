import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Call } from '../api/http';
import { text } from '../text';
import { CopyAs } from './Command';

/** A window above the page; Escape closes it, and the focus returns to where it was. */
export function Dialog(props: { title: string; close: () => void; wide?: boolean; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog ref={dialog} class={props.wide ? 'wide' : ''} aria-label={props.title} onClose={props.close}>
      <div class="stack">
        <h2>{props.title}</h2>
        {props.children}
      </div>
    </dialog>
  );
}

interface Confirmation {
  title: string;
  body: string;
  /** What has to be typed, for what cannot be undone. */
  name?: string;
  verb: string;
  /** What confirming does, to copy. */
  call: Call;
  close: () => void;
  act: () => void;
}

export function Confirm({ title, body, name, verb, call, close, act }: Confirmation) {
  const [typed, type] = useState('');
  const [tried, fail] = useState(false);
  const right = name === undefined || typed === name;
  const submit = (event: Event) => {
    event.preventDefault();
    if (right) {
      close();
      act();
    } else {
      fail(true);
    }
  };
  return (
    <Dialog title={title} close={close}>
      <form class="stack" onSubmit={submit}>
        <p>{body}</p>
        {name === undefined ? null : (
          <div class="field">
            <label for="confirm-name">{text.confirm.name(name)}</label>
            <input
              id="confirm-name"
              autocomplete="off"
              value={typed}
              aria-invalid={tried && !right}
              onInput={(event) => type(event.currentTarget.value)}
            />
            {tried && !right ? <span class="wrong">{text.confirm.wrong(name)}</span> : null}
          </div>
        )}
        <div class="actions">
          <CopyAs call={call} />
          <button type="button" class="button" autofocus={name === undefined} onClick={close}>
            {text.actions.cancel}
          </button>
          <button type="submit" class="button danger">
            {verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
