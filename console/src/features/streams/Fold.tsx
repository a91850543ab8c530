import { useState } from 'preact/hooks';
import { useParameter } from '../../shell/router';
import { text } from '../../text';
import { useAttempt } from '../../ui/attempt';
import { Code } from '../../ui/Code';
import { Diff } from '../../ui/Diff';
import { pretty } from '../../ui/format';
import { Problem } from '../../ui/Problem';
import { type Replayed, replay, usualFold } from './replay';

const words = text.streams.fold;

/** What the events of a stream add up to, one after the other, in the eyes of code that is typed here. */
export function Fold({ stream, base }: { stream: string; base: number }) {
  const [code, edit] = useState(() => usualFold(stream));
  const [replayed, show] = useState<Replayed>();
  const { busy, refused, attempt } = useAttempt();
  const run = () => void attempt(async () => show(await replay(stream, base, code)));
  return (
    <section class="stack tight">
      <h2>{words.title}</h2>
      <p class="soft">{base === 0 ? words.says : words.saysPruned(base)}</p>
      <Code doc={code} label={words.code} language="javascript" changed={edit} run={run} lines={5} />
      <div class="row">
        <button type="button" class="button" aria-disabled={busy} onClick={run}>
          {busy ? words.running : words.run}
        </button>
      </div>
      {refused === undefined ? null : <Problem error={refused} />}
      {replayed === undefined || replayed.states.length === 0 ? null : <Steps {...replayed} />}
    </section>
  );
}

/** One event at a time, with what it has changed. */
function Steps({ events, states }: Replayed) {
  const last = states.length - 1;
  const [chosen, choose] = useParameter('at', String(last));
  const at = Math.min(last, Math.max(0, Number(chosen) || 0));
  const event = events[at];
  return (
    <div class="card pad stack tight">
      <div class="row">
        <button type="button" class="button" disabled={at === 0} onClick={() => choose(String(at - 1))}>
          {words.before}
        </button>
        <input
          class="grow"
          type="range"
          aria-label={words.event}
          aria-valuetext={`${event?.index} ${event?.type}`}
          min={0}
          max={last}
          value={at}
          onInput={({ currentTarget }) => choose(currentTarget.value)}
        />
        <button type="button" class="button" disabled={at === last} onClick={() => choose(String(at + 1))}>
          {words.next}
        </button>
      </div>
      <h3 class="row">
        <span class="chip">{event?.index}</span>
        {event?.type}
      </h3>
      <Diff before={pretty(states[at - 1] ?? '')} after={pretty(states[at] ?? '')} />
    </div>
  );
}
