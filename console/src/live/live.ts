import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, refusal, ROOT, sayLogin } from '../api/http';
import { text } from '../text';
import { type Follower, follower } from './follower';
import type { Listener, Topic } from './protocol';

let shared: Follower | undefined;
const following = (): Follower => (shared ??= follower());

const topicOf = (path: string, every: number): Topic => ({ url: new URL(path, ROOT).href, every });

export interface Live<T> {
  data: T | undefined;
  error: ApiError | undefined;
  /** When the data was received, in milliseconds since 1970. */
  at: number;
  refresh: () => void;
}

/** A change is to be seen within two seconds, the way to the service and back included. */
export const EVERY_MILLIS = 1500;

/** For what changes seldom, or is long. */
export const SLOW_MILLIS = 10_000;

/** The newest answer to a GET, asked for again and again; an error keeps the answer before it. */
export function useLive<T>(path: string | null, every = EVERY_MILLIS): Live<T> {
  const [state, set] = useState<{ path: string | null; data?: T; error?: ApiError; at: number }>({ path, at: 0 });
  useEffect(() => {
    if (path === null) {
      return undefined;
    }
    const topic = topicOf(path, every);
    const listener: Listener = (message) => {
      if (message.kind === 'value') {
        set({ path, data: message.body as T, at: Date.now() });
        if (path.startsWith('api/')) {
          sayLogin(false); // health may be shown to everyone
        }
      } else if (message.kind === 'refused') {
        const error = refusal(message.status, message.status === 0 ? text.errors.unreachable : message.body, {
          method: 'GET',
          path,
        });
        set((before) => (before.path === path ? { ...before, error } : { path, error, at: 0 }));
        if (message.status === 401) {
          sayLogin(true);
        }
      }
    };
    following().follow(topic, listener);
    return () => following().leave(topic, listener);
  }, [path, every]);
  const fits = state.path === path;
  return {
    data: fits ? state.data : undefined,
    error: fits ? state.error : undefined,
    at: fits ? state.at : 0,
    refresh: () => path !== null && following().now(topicOf(path, every)),
  };
}

/** The same for a page that can become longer: the shorter one stays while the longer one is read. */
export function useGrowing<T>(path: string, every: number): Live<T> {
  const live = useLive<T>(path, every);
  const last = useRef<T>();
  last.current = live.data ?? last.current;
  return { ...live, data: last.current };
}

export interface StreamEvents<T> {
  events: (events: T[]) => void;
  open?: (again: boolean) => void;
  lost?: () => void;
}

/** Follows a stream of server-sent events while the component is shown. */
export function useStream<T>(path: string | null, handlers: StreamEvents<T>): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    if (path === null) {
      return undefined;
    }
    const topic = topicOf(path, 0);
    const listener: Listener = (message) => {
      if (message.kind === 'events') {
        latest.current.events(message.events as T[]);
      } else if (message.kind === 'open') {
        latest.current.open?.(message.again);
      } else if (message.kind === 'refused') {
        latest.current.lost?.();
      }
    };
    following().follow(topic, listener);
    return () => following().leave(topic, listener);
  }, [path]);
}
