import { useRef, useState } from 'preact/hooks';

/** A text as it is stored, and the version that it belongs to. */
export interface Version {
  text: string;
  /** Undefined of what is not stored, and of what is stored without versions. */
  etag?: string | undefined;
}

/** A text that is edited, and the version that it was made of, which is the condition of storing it. */
export interface Typed {
  text: string;
  edit: (text: string) => void;
  base: Version;
  unsaved: boolean;
  /** Goes on with what is stored; what was typed is gone. */
  show: (stored: Version) => void;
  /** Takes up what is stored, unless something is typed: that keeps its version, so that storing it finds another writer's change. */
  refresh: (stored: Version) => void;
  /** What is typed goes on from a version: it was stored. */
  rebase: (stored: Version) => void;
}

export function useTyped(first: Version): Typed {
  const [text, edit] = useState(first.text);
  const [base, rebase] = useState(first);
  const latest = useRef({ text, base });
  latest.current = { text, base };
  const show = (stored: Version) => {
    edit(stored.text);
    rebase(stored);
  };
  const refresh = (stored: Version) => {
    const { text, base } = latest.current;
    if (text === base.text) {
      show(stored);
    } else if (stored.text === base.text) {
      rebase(stored); // something else has changed, to which the version belongs as well
    }
  };
  return { text, edit, base, unsaved: text !== base.text, show, refresh, rebase };
}
