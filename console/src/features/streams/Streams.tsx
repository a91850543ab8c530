import { useState } from 'preact/hooks';
import { path, search } from '../../api/http';
import { EVERY_MILLIS, SLOW_MILLIS, useGrowing, useLive } from '../../live/live';
import { go, to } from '../../shell/router';
import { text } from '../../text';
import { CopyAs } from '../../ui/Command';
import { Empty, Loading } from '../../ui/Empty';
import { Page } from '../../ui/Page';
import { Problem } from '../../ui/Problem';
import { Time } from '../../ui/Time';
import { Fold } from './Fold';

const words = text.streams;
const PAGE = 200;

/** The most events that one answer has. */
const MOST = 1000;

export interface StreamEvent {
  index: number;
  type: string;
  data?: unknown;
  meta?: unknown;
  time: string;
}

interface Tip {
  version: number;
  index: number;
  base: number;
  unfolds: StreamEvent[];
}

export function Streams({ name }: { name: string | undefined }) {
  const [typed, type] = useState(name ?? '');
  const open = (event: Event) => {
    event.preventDefault();
    go(to(['streams', typed]));
  };
  return (
    <Page title={name ?? words.title} over={name === undefined ? undefined : <a href={to(['streams'])}>{words.title}</a>}>
      <div class="stack">
        <form class="row" onSubmit={open}>
          <input
            class="mono"
            required
            aria-label={words.name}
            placeholder={words.name}
            value={typed}
            onInput={(event) => type(event.currentTarget.value)}
          />
          <button type="submit" class="button primary">
            {words.open}
          </button>
        </form>
        {name === undefined ? (
          <div class="card">
            <Empty
              says={words.empty}
              call={{ method: 'POST', path: 'api/v1/streams/cart-42/events', json: { events: [{ type: 'Added', data: { sku: 'scoop' } }] } }}
            />
          </div>
        ) : (
          <Stream name={name} />
        )}
      </div>
    </Page>
  );
}

/** The tip of a stream and its newest events, as they are appended. */
function Stream({ name }: { name: string }) {
  const address = path`api/v1/streams/${name}`;
  const tip = useLive<Tip>(address);
  const [max, extend] = useState(PAGE);
  const events = useGrowing<StreamEvent[]>(
    `${address}/events${search({ backward: true, max })}`,
    max > PAGE ? SLOW_MILLIS : EVERY_MILLIS,
  );
  const shown = events.data;
  const error = tip.error ?? events.error;
  if (tip.data === undefined || shown === undefined) {
    return error === undefined ? <Loading label={text.loading} /> : <Problem error={error} retry={tip.refresh} />;
  }
  const { version, base, unfolds } = tip.data;
  return (
    <>
      <div class="row between">
        <dl class="facts">
          <dt>{words.version}</dt>
          <dd class="mono">{version}</dd>
          <dt>{words.base}</dt>
          <dd class="mono">{base}</dd>
        </dl>
        <CopyAs call={{ method: 'GET', path: address }} />
      </div>
      <div class="split">
        <section class="stack tight">
          <h2>{words.events}</h2>
          <EventList events={shown} />
          {shown.length < Math.min(version - base, MOST) ? (
            <div class="row">
              <button type="button" class="button" onClick={() => extend(Math.min(max + PAGE, MOST))}>
                {words.older}
              </button>
            </div>
          ) : null}
        </section>
        <section class="stack tight">
          <h2>{words.unfolds}</h2>
          {unfolds.length === 0 ? <p class="soft">{words.noUnfolds}</p> : <EventList events={unfolds} />}
        </section>
      </div>
      {shown.length === 0 ? null : <Fold key={name} stream={name} base={base} />}
    </>
  );
}

function EventList({ events }: { events: StreamEvent[] }) {
  return (
    <ul class="card changes">
      {events.map((event) => (
        <li key={`${event.index} ${event.type}`}>
          <span class="row between">
            <span class="row">
              <span class="chip">{event.index}</span>
              <strong>{event.type}</strong>
            </span>
            <span class="soft">
              <Time at={event.time} />
            </span>
          </span>
          <code class="break">{event.data === undefined ? '' : JSON.stringify(event.data)}</code>
          {event.meta === undefined ? null : <code class="soft break">{JSON.stringify(event.meta)}</code>}
        </li>
      ))}
    </ul>
  );
}
