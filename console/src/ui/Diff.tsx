import { diff } from './lines';

const SIGNS = { same: '  ', added: '+ ', removed: '- ' };

/** What changed between two JSON texts. */
export function Diff({ before, after }: { before: string; after: string }) {
  return (
    <pre class="block diff" tabIndex={0}>
      {diff(before, after).map(({ kind, text }, i) => (
        <span key={i} class={kind}>
          {SIGNS[kind] + text}
        </span>
      ))}
    </pre>
  );
}
