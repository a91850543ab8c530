import { Feeds, keyOf } from './feeds';
import type { Forgotten, Listener, Topic, ToWorker } from './protocol';

/** A tab that was closed without a word is forgotten after this time. Hidden tabs speak once a minute, those of a computer that sleeps not at all. */
const SILENT_MILLIS = 150_000;

const feeds = new Feeds();
const tabs = new Set<Tab>();

/** One tab of the console, and what it follows. */
class Tab {
  heard = Date.now();
  private readonly followed = new Map<string, { topic: Topic; listener: Listener }>();

  constructor(port: MessagePort) {
    port.onmessage = ({ data }: MessageEvent<ToWorker>) => {
      this.heard = Date.now();
      if (!tabs.has(this) && data.kind !== 'bye') {
        tabs.add(this);
        port.postMessage({ kind: 'forgotten' } satisfies Forgotten);
      }
      switch (data.kind) {
        case 'follow': {
          if (!this.followed.has(keyOf(data.topic))) {
            const listener: Listener = (message) => port.postMessage(message);
            this.followed.set(keyOf(data.topic), { topic: data.topic, listener });
            feeds.follow(data.topic, listener);
          }
          break;
        }
        case 'leave':
          this.leave(keyOf(data.topic));
          break;
        case 'now':
          feeds.now(data.topic);
          break;
        case 'bye':
          this.close();
          break;
        case 'here':
          break;
      }
    };
  }

  close(): void {
    [...this.followed.keys()].forEach((key) => this.leave(key));
    tabs.delete(this);
  }

  private leave(key: string): void {
    const entry = this.followed.get(key);
    if (entry !== undefined) {
      this.followed.delete(key);
      feeds.leave(entry.topic, entry.listener);
    }
  }
}

/** The types of workers and of pages do not fit into one program. */
const scope = self as unknown as { onconnect: (event: MessageEvent) => void };

scope.onconnect = ({ ports }) => {
  const [port] = ports;
  if (port !== undefined) {
    tabs.add(new Tab(port));
  }
};

setInterval(() => {
  const before = Date.now() - SILENT_MILLIS;
  [...tabs].filter((tab) => tab.heard < before).forEach((tab) => tab.close());
}, SILENT_MILLIS);
