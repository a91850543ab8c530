import { useEffect, useState } from 'preact/hooks';
import { calls, type CodeMistakes } from '../../api/functions';
import { send } from '../../api/http';
import type { Finding } from '../../ui/editor/mount';

/** Typing must have stopped for so long before the server is asked. */
const REST_MILLIS = 400;

/**
 * What the server finds wrong with code while it is typed. Empty while the code is the saved one, and when the server does not
 * answer: then it says so when the code is saved.
 */
export function useCheck(name: string, doc: string, saved: string): Finding[] {
  const [found, find] = useState<Finding[]>([]);
  useEffect(() => {
    let stale = false;
    const show = (findings: Finding[]) => {
      if (!stale) {
        find((before) => (before.length === 0 && findings.length === 0 ? before : findings));
      }
    };
    if (doc === saved) {
      show([]);
      return;
    }
    const resting = setTimeout(() => {
      void send<CodeMistakes>(calls.check(name, doc)).then(
        ({ body }) => show(body.mistakes.map((mistake) => ({ ...mistake, line: Math.max(1, mistake.line), severity: 'error' }))),
        () => show([]),
      );
    }, REST_MILLIS);
    return () => {
      stale = true;
      clearTimeout(resting);
    };
  }, [name, doc, saved]);
  return found;
}
