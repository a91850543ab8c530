import { useLayoutEffect } from 'preact/hooks';

/** Something typed that is not saved. It is lost when the path, or one of the parameters of the address, becomes another. */
interface Edit {
  path: string;
  query: URLSearchParams;
  parameters: string[];
}

const edits = new Set<Edit>();
let show: ((go: () => void) => void) | undefined;

/**
 * While something is unsaved, the page is not left without a question. It is known together with what the page shows, not a
 * frame later: who clicks at once is neither asked about what is saved nor loses what is typed.
 */
export function useUnsaved(unsaved: boolean, parameters: string[] = []): void {
  useLayoutEffect(() => {
    if (!unsaved) {
      return undefined;
    }
    const edit = { path: location.pathname, query: new URLSearchParams(location.search), parameters };
    edits.add(edit);
    return () => {
      edits.delete(edit);
    };
  }, [unsaved]);
}

/** Whether something is typed that the page of this address does not show. */
export function loses(address: string): boolean {
  const { pathname, searchParams } = new URL(address, location.origin);
  return [...edits].some(
    ({ path, query, parameters }) => path !== pathname || parameters.some((name) => query.get(name) !== searchParams.get(name)),
  );
}

/** Goes on when the user agrees that what is not saved is lost. */
export function ask(go: () => void): void {
  show?.(() => {
    edits.clear();
    go();
  });
}

/** Shows the question. */
export function onQuestion(listener: (go: () => void) => void): () => void {
  show = listener;
  return () => {
    show = undefined;
  };
}

/** The browser itself asks before another page is loaded. */
export function guardPage(): void {
  addEventListener('beforeunload', (event) => {
    if (edits.size > 0) {
      event.preventDefault();
    }
  });
}
