import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Call, send } from '../api/http';
import { toast } from '../shell/toasts';

interface Props {
  call: Call;
  done?: string;
  after?: () => void;
  failed?: (error: unknown) => void;
  class?: string;
  disabled?: boolean;
  /** What a screen reader says where the text on the button is not enough. */
  label?: string;
  children: ComponentChildren;
}

/** A button that makes one call and says how it ended; while it runs it cannot be pressed again. */
export function Act({ call, done, after, failed, children, label, disabled = false, class: style = 'button' }: Props) {
  const [busy, set] = useState(false);
  const act = async () => {
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
    <button type="button" class={style} disabled={busy || disabled} aria-busy={busy} aria-label={label} onClick={() => void act()}>
      {children}
    </button>
  );
}
