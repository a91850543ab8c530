/** What tabs and the shared worker say to each other. */
export interface Topic {
  /** Absolute address. */
  url: string;
  /** Milliseconds between two requests; 0 for a stream of server-sent events. */
  every: number;
}

export type ToWorker =
  | { kind: 'follow'; topic: Topic }
  | { kind: 'leave'; topic: Topic }
  | { kind: 'now'; topic: Topic }
  | { kind: 'here' }
  | { kind: 'bye' };

export type FromWorker =
  | { kind: 'value'; url: string; body: unknown }
  | { kind: 'refused'; url: string; status: number; body: unknown }
  | { kind: 'events'; url: string; events: unknown[] }
  | { kind: 'open'; url: string; again: boolean };

/** The worker has heard nothing from the tab for long and follows nothing for it: the tab says again what it follows. */
export interface Forgotten {
  kind: 'forgotten';
}

export type Listener = (message: FromWorker) => void;
