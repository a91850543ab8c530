import { useState } from 'preact/hooks';
import { calls, type Canary, type CanaryRule } from '../../api/functions';
import { send } from '../../api/http';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Confirm } from '../../ui/Dialog';
import { count, duration, percent } from '../../ui/format';
import { Status } from '../../ui/Status';
import { Time } from '../../ui/Time';
import { Sides } from './Sides';

const words = text.canary;

type End = 'promote' | 'rollback';

/** A canary that runs: both versions side by side, its rule, and how to end it. */
export function Trial({ name, canary, changed }: { name: string; canary: Canary; changed: () => void }) {
  const [asked, ask] = useState<End>();
  const { version, stable_version: former, vbuckets, since, rule, missing_nodes: missing = [] } = canary;
  const end = (how: End) =>
    void send(calls.endCanary(name, how)).then(
      () => {
        toast(how === 'promote' ? words.promoted(version) : words.rolledBack(version));
        changed();
      },
      (error: Error) => toast(error.message, true),
    );
  return (
    <div class="stack">
      <div class="row between">
        <div class="row">
          <Status tone="busy" shape="spinner" word={words.states.running} />
          <span>{words.trial(version, former, vbuckets)}</span>
          <span class="soft">
            <Time at={since} />
          </span>
        </div>
        <div class="actions">
          <button type="button" class="button primary" onClick={() => ask('promote')}>
            {words.promote}
          </button>
          <button type="button" class="button danger" onClick={() => ask('rollback')}>
            {words.rollback}
          </button>
        </div>
      </div>
      {missing.length === 0 ? null : <p class="tone-warn">{words.missing(missing.join(', '))}</p>}
      <Sides canary={canary} />
      <ul class="card pad stack tight">
        {ruled(rule).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {asked === undefined ? null : (
        <Confirm
          title={asked === 'promote' ? words.promoteTitle(version) : words.rollbackTitle(version)}
          body={asked === 'promote' ? words.promoteBody : words.rollbackBody}
          verb={words[asked]}
          call={calls.endCanary(name, asked)}
          close={() => ask(undefined)}
          act={() => end(asked)}
        />
      )}
    </div>
  );
}

/** The rule as sentences. */
function ruled({ max_error_rate: errors = 0, max_slowdown: slowdown = 0, min_events: events = 0, promote_after: after }: CanaryRule) {
  return [
    words.rule.errors(percent(errors)),
    ...(slowdown > 0 ? [words.rule.slow(slowdown)] : []),
    words.rule.events(count(events)),
    after === undefined ? words.rule.wait : words.rule.promote(duration(after)),
  ];
}
