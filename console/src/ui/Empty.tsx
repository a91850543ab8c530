import type { ComponentChildren } from 'preact';
import type { Call } from '../api/http';
import { CurlCommand } from './Command';

/** Says what would be here, with one way to begin and the same as a command. */
export function Empty({ says, children, call }: { says: string; children?: ComponentChildren; call?: Call }) {
  return (
    <div class="empty">
      <p>{says}</p>
      {children}
      {call === undefined ? null : <CurlCommand call={call} />}
    </div>
  );
}

/** Stands for what is not loaded yet, with the height of some rows. */
export function Loading({ label }: { label: string }) {
  return (
    <div class="pad stack" role="status" aria-label={label}>
      {[60, 85, 40].map((width) => (
        <div key={width} class="skeleton" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
