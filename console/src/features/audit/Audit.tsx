import { useState } from 'preact/hooks';
import { useLive, useStream } from '../../live/live';
import { useParameter } from '../../shell/router';
import { text } from '../../text';
import { Command, CopyAs } from '../../ui/Command';
import { Problem } from '../../ui/Problem';
import { AuditTable } from './AuditTable';
import { type AuditLine, auditPath, KEPT, TRAILS } from './line';

const words = text.audit;
const TRAILS_MILLIS = 30_000;

interface Filter {
  label: string;
  value: string;
  change: (value: string) => void;
}

/** Takes effect when it is complete: each letter would have the server look at all lines again. */
function FilterField({ label, value, change }: Filter) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => change(event.currentTarget.value.trim())}
    />
  );
}

/** Who did what, and what was refused, as it happens. */
export function Audit() {
  const trails = useLive<unknown>(TRAILS, TRAILS_MILLIS);
  const [user, setUser] = useParameter('user');
  const [event, setEvent] = useParameter('event');
  const [outcome, setOutcome] = useParameter('outcome');
  const path = auditPath(user, event);
  if (trails.error !== undefined && trails.data === undefined) {
    return <Problem error={trails.error} retry={trails.refresh} />;
  }
  return (
    <div class="stack">
      <p class="soft">{words.says}</p>
      <div class="row">
        <FilterField label={words.user} value={user} change={setUser} />
        <FilterField label={words.event} value={event} change={setEvent} />
        <select aria-label={words.outcome} value={outcome} onChange={(change) => setOutcome(change.currentTarget.value)}>
          <option value="">{words.all}</option>
          {Object.entries(words.outcomes).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <CopyAs call={{ method: 'GET', path }} />
      </div>
      <Followed key={path} path={path} outcome={outcome} filtered={user + event + outcome !== ''} />
      <div class="stack tight">
        <h2>{words.verify}</h2>
        <Command line="./millrace audit verify" />
      </div>
    </div>
  );
}

function Followed({ path, outcome, filtered }: { path: string; outcome: string; filtered: boolean }) {
  const [lines, set] = useState<AuditLine[]>([]);
  const [open, connect] = useState(false);
  const [lost, lose] = useState(false);
  useStream<AuditLine>(path, {
    events: (more) => set((before) => [...more.reverse(), ...before].slice(0, KEPT)),
    open: () => {
      connect(true);
      lose(false);
    },
    lost: () => lose(true),
  });
  const shown = lines.filter((line) => outcome === '' || line.outcome === outcome);
  return (
    <>
      {lost ? (
        <p class="tone-warn" role="status">
          {words.reconnecting}
        </p>
      ) : null}
      {shown.length > 0 ? <AuditTable lines={shown} /> : <p class="card pad soft">{open && filtered ? words.none : words.waiting}</p>}
    </>
  );
}
