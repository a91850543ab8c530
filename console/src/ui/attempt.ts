import { useState } from 'preact/hooks';

/** Something that a person starts and that can fail. */
interface Attempt {
  /** It is under way. Its button says so by aria-disabled, not by disabled, and so keeps the focus. */
  busy: boolean;
  /** Why the last one failed; undefined if it did not. */
  refused: unknown;
  refuse: (error: unknown) => void;
  /** Does the work and keeps its failure, unless some is under way. */
  attempt: (work: () => Promise<void>) => Promise<void>;
}

/** At most one piece of work at a time, and why the last one failed. */
export function useAttempt(): Attempt {
  const [refused, refuse] = useState<unknown>();
  const [busy, set] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    if (busy) {
      return;
    }
    refuse(undefined);
    set(true);
    try {
      await work();
    } catch (error) {
      refuse(error);
    } finally {
      set(false);
    }
  };
  return { busy, refused, refuse, attempt };
}
