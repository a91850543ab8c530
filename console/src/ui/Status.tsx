import { text } from '../text';

export type Tone = 'ok' | 'busy' | 'warn' | 'failed' | 'idle';
export type Shape = 'disc' | 'ring' | 'bars' | 'spinner' | 'triangle';

/** State is never shown by colour alone: each has its shape and its word. */
const SHAPES: Record<Shape, preact.JSX.Element> = {
  disc: <circle cx="6" cy="6" r="5" fill="currentColor" />,
  ring: <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" stroke-width="1.6" />,
  bars: <path d="M2.5 1.5h2.5v9h-2.5zM7 1.5h2.5v9h-2.5z" fill="currentColor" />,
  spinner: <path d="M6 1.4a4.6 4.6 0 1 1-4.6 4.6" fill="none" stroke="currentColor" stroke-width="1.8" class="spin" />,
  triangle: <path d="M6 .8 11.6 11H.4z" fill="currentColor" />,
};

export function Mark({ shape }: { shape: Shape }) {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[shape]}
    </svg>
  );
}

export function Status({ tone, shape, word }: { tone: Tone; shape: Shape; word: string }) {
  return (
    <span class={`status ${tone}`}>
      <Mark shape={shape} />
      {word}
    </span>
  );
}

/** Whether a service or a node answers. */
export function Answers({ well }: { well: boolean }) {
  return well ? (
    <Status tone="ok" shape="disc" word={text.health.up} />
  ) : (
    <Status tone="failed" shape="triangle" word={text.health.down} />
  );
}

const STATES: Record<string, [Tone, Shape]> = {
  deployed: ['ok', 'disc'],
  deploying: ['busy', 'spinner'],
  resuming: ['busy', 'spinner'],
  pausing: ['busy', 'spinner'],
  undeploying: ['busy', 'spinner'],
  paused: ['warn', 'bars'],
  undeployed: ['idle', 'ring'],
  failed: ['failed', 'triangle'],
};

/** The state of a function; one that failed to deploy is undeployed with a reason. */
export function FunctionStatus({ state, failed = false }: { state: string; failed?: boolean }) {
  const shown = failed && state === 'undeployed' ? 'failed' : state;
  const [tone, shape] = STATES[shown] ?? ['idle', 'ring'];
  return <Status tone={tone} shape={shape} word={text.status[shown] ?? shown} />;
}
