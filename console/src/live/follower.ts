import { Feeds, keyOf } from './feeds';
import type { Forgotten, FromWorker, Listener, Topic, ToWorker } from './protocol';

const HERE_MILLIS = 30_000;

/** Follows topics for this page: by the worker that all tabs share, or by the page itself where a browser has none. */
export interface Follower {
  follow(topic: Topic, listener: Listener): void;
  leave(topic: Topic, listener: Listener): void;
  now(topic: Topic): void;
}

class SharedFollower implements Follower {
  private readonly followed = new Map<string, { topic: Topic; listeners: Set<Listener> }>();
  private readonly last = new Map<string, FromWorker>();

  constructor(private readonly port: MessagePort) {
    port.onmessage = ({ data }: MessageEvent<FromWorker | Forgotten>) => {
      if (data.kind === 'forgotten') {
        this.followAgain();
        return;
      }
      if (data.kind === 'value' || data.kind === 'refused') {
        this.last.set(data.url, data);
      }
      for (const { topic, listeners } of this.followed.values()) {
        if (topic.url === data.url) {
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
    const followed = this.followed.get(key);
    if (followed !== undefined) {
      followed.listeners.add(listener);
      const last = this.last.get(topic.url);
      if (last !== undefined) {
        listener(last);
      }
    } else {
      this.followed.set(key, { topic, listeners: new Set([listener]) });
      this.say({ kind: 'follow', topic });
    }
  }

  leave(topic: Topic, listener: Listener): void {
    const key = keyOf(topic);
    const listeners = this.followed.get(key)?.listeners;
    listeners?.delete(listener);
    if (listeners?.size === 0) {
      this.followed.delete(key);
      this.last.delete(topic.url);
      this.say({ kind: 'leave', topic });
    }
  }

  now(topic: Topic): void {
    this.say({ kind: 'now', topic });
  }

  /** What streams sent meanwhile is lost, and that is said. */
  private followAgain(): void {
    for (const { topic, listeners } of this.followed.values()) {
      if (topic.every === 0) {
        listeners.forEach((listener) => listener({ kind: 'open', url: topic.url, again: true }));
      }
      this.say({ kind: 'follow', topic });
    }
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
