import { Feeds, keyOf } from './feeds';
import type { FromWorker, Listener, Topic, ToWorker } from './protocol';

const HERE_MILLIS = 30_000;

/** Follows topics for this page: by the worker that all tabs share, or by the page itself where a browser has none. */
export interface Follower {
  follow(topic: Topic, listener: Listener): void;
  leave(topic: Topic, listener: Listener): void;
  now(topic: Topic): void;
}

class SharedFollower implements Follower {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly last = new Map<string, FromWorker>();

  constructor(private readonly port: MessagePort) {
    port.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'value' || data.kind === 'refused') {
        this.last.set(data.url, data);
      }
      for (const [key, listeners] of this.listeners) {
        if (key.endsWith(` ${data.url}`)) {
          listeners.forEach((listener) => listener(data));
        }
      }
    };
    addEventListener('pagehide', () => this.say({ kind: 'bye' }));
    addEventListener('pageshow', (event) => {
      if (event.persisted) {
        location.reload(); // the worker has forgotten a page that comes back from the cache
      }
    });
    setInterval(() => this.say({ kind: 'here' }), HERE_MILLIS);
  }

  follow(topic: Topic, listener: Listener): void {
    const key = keyOf(topic);
    const listeners = this.listeners.get(key);
    if (listeners !== undefined) {
      listeners.add(listener);
      const last = this.last.get(topic.url);
      if (last !== undefined) {
        listener(last);
      }
    } else {
      this.listeners.set(key, new Set([listener]));
      this.say({ kind: 'follow', topic });
    }
  }

  leave(topic: Topic, listener: Listener): void {
    const key = keyOf(topic);
    const listeners = this.listeners.get(key);
    listeners?.delete(listener);
    if (listeners?.size === 0) {
      this.listeners.delete(key);
      this.last.delete(topic.url);
      this.say({ kind: 'leave', topic });
    }
  }

  now(topic: Topic): void {
    this.say({ kind: 'now', topic });
  }

  private say(message: ToWorker): void {
    this.port.postMessage(message);
  }
}

declare const WORKER_FILE: string;

/** The worker of all tabs, or where a browser has none, the page itself. */
export function follower(): Follower {
  if (typeof SharedWorker === 'undefined') {
    return new Feeds();
  }
  const { port } = new SharedWorker(new URL(WORKER_FILE, import.meta.url), { name: WORKER_FILE });
  return new SharedFollower(port);
}
