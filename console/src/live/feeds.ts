import type { FromWorker, Listener, Topic } from './protocol';

/** Lines are passed on in groups: a message for each of 1,000 lines a second would keep a tab busy. */
const GROUP_MILLIS = 60;
const RECONNECT_MILLIS = 1000;

/** Asks for one topic on behalf of all who listen. */
class Feed {
  readonly listeners = new Set<Listener>();
  private last: FromWorker | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private source: EventSource | undefined;
  private waiting: unknown[] = [];
  private opened = false;
  private ended = false;

  constructor(private readonly topic: Topic) {
    if (topic.every === 0) {
      this.open();
    } else {
      void this.ask();
    }
  }

  join(listener: Listener): void {
    this.listeners.add(listener);
    if (this.last !== undefined) {
      listener(this.last);
    }
  }

  /** Asks again at once, after something was changed. */
  now(): void {
    if (this.topic.every > 0) {
      clearTimeout(this.timer);
      void this.ask();
    }
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.source?.close();
  }

  private tell(message: FromWorker): void {
    this.listeners.forEach((listener) => listener(message));
  }

  private async ask(): Promise<void> {
    const { url, every } = this.topic;
    let message: FromWorker;
    try {
      const response = await fetch(url, { headers: { Accept: 'application/json' } });
      const raw = await response.text();
      let body: unknown = raw;
      try {
        body = JSON.parse(raw);
      } catch {
        // text stays text
      }
      message =
        response.ok || (response.status === 503 && isHealth(body))
          ? { kind: 'value', url, body }
          : { kind: 'refused', url, status: response.status, body };
    } catch {
      message = { kind: 'refused', url, status: 0, body: null };
    }
    if (this.ended) {
      return;
    }
    this.last = message;
    this.tell(message);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), every);
  }

  private open(): void {
    const { url } = this.topic;
    this.source = new EventSource(url);
    this.source.onopen = () => {
      this.tell({ kind: 'open', url, again: this.opened });
      this.opened = true;
    };
    this.source.onmessage = (event: MessageEvent<string>) => {
      let parsed: unknown = event.data;
      try {
        parsed = JSON.parse(event.data);
      } catch {
        // text stays text
      }
      this.waiting.push(parsed);
      this.timer ??= setTimeout(() => this.flush(), GROUP_MILLIS);
    };
    this.source.onerror = () => {
      this.tell({ kind: 'refused', url, status: 0, body: null });
      if (this.source?.readyState === EventSource.CLOSED && !this.ended) {
        setTimeout(() => this.ended || this.open(), RECONNECT_MILLIS);
      }
    };
  }

  private flush(): void {
    this.timer = undefined;
    const events = this.waiting;
    this.waiting = [];
    this.tell({ kind: 'events', url: this.topic.url, events });
  }
}

/** A service that is down answers its health with 503 and what is down; a proxy before it answers 503 with a page of its own. */
function isHealth(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'components' in body;
}

/** The topics with listeners; each costs the server one reader, however many listen. */
export class Feeds {
  private readonly feeds = new Map<string, Feed>();

  follow(topic: Topic, listener: Listener): void {
    const key = keyOf(topic);
    let feed = this.feeds.get(key);
    if (feed === undefined) {
      feed = new Feed(topic);
      this.feeds.set(key, feed);
    }
    feed.join(listener);
  }

  leave(topic: Topic, listener: Listener): void {
    const key = keyOf(topic);
    const feed = this.feeds.get(key);
    feed?.listeners.delete(listener);
    if (feed !== undefined && feed.listeners.size === 0) {
      feed.end();
      this.feeds.delete(key);
    }
  }

  now(topic: Topic): void {
    this.feeds.get(keyOf(topic))?.now();
  }
}

export function keyOf({ url, every }: Topic): string {
  return `${every} ${url}`;
}
