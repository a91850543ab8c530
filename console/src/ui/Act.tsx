import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Call, send } from '../api/http';
import { toast } from '../shell/toasts';
import { Confirm } from './Dialog';

interface Props {
  call: Call;
  done?: string;
  after?: () => void;
  failed?: (error: unknown) => void;
  class?: string;
  disabled?: boolean;
  /** Asked before, where nothing brings back what the call destroys; the name has to be typed. */
  confirm?: { title: string; body: string; name: string };
  /** What a screen reader says where the text on the button is not enough. */
  label?: string;
  children: ComponentChildren;
}

/** A button that makes one call and says how it ended. While it runs, pressing it does nothing, and it keeps the focus. */
export function Act(props: Props) {
  const { call, done, after, failed, confirm, children, label, disabled = false, class: style = 'button' } = props;
  const [busy, set] = useState(false);
  const [asking, ask] = useState(false);
  const act = async () => {
    if (busy) {
      return;
    }
    set(true);
    try {
      await send(call);
      if (done !== undefined) {
        toast(done);
      }
      after?.();
    } catch (error) {
      if (failed === undefined) {
        toast(error instanceof Error ? error.message : String(error), true);
      } else {
        failed(error);
      }
    } finally {
      set(false);
    }
  };
  return (
    <>
      <button
        type="button"
        class={style}
        disabled={disabled}
        aria-disabled={busy}
        aria-busy={busy}
        aria-label={label}
        onClick={() => (confirm === undefined ? void act() : ask(true))}
      >
        {children}
      </button>
      {asking && confirm !== undefined ? (
        <Confirm {...confirm} verb={confirm.title} call={call} close={() => ask(false)} act={() => void act()} />
      ) : null}
    </>
  );
}
