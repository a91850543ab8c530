import { useEffect, useRef, useState } from 'preact/hooks';
import { DEFAULT, isDefault } from '../../api/documents';
import { earlierLines, type LogLine, logPath } from '../../api/functions';
import { useStream } from '../../live/live';
import { to, useParameter } from '../../shell/router';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { SearchField } from '../../ui/SearchField';
import { count } from '../../ui/format';
import type { Shown } from './FunctionPage';
import { LogLines } from './LogLines';

/** A line, or what separates lines. */
export type Entry = Omit<LogLine, 'version' | 'trace'> & { key: number; between?: 'lost' | 'earlier' };

const written = ({ time, text: said }: Pick<LogLine, 'time' | 'text'>): string => `${time} ${said}`;

/** Older lines leave the page; the server keeps them. */
const KEPT = 5000;
const LEVELS = ['', 'ERROR', 'WARNING', 'INFO', 'DEBUG', 'TRACE'];

/** The log as it is written on all nodes. */
export function LogTab({ name, definition }: Shown) {
  const [filter, setFilter] = useParameter('text');
  const [level, setLevel] = useParameter('level');
  const [paused, pause] = useState(false);
  const [lost, lose] = useState(false);
  const [entries, set] = useState<Entry[]>([]);
  const [dropped, drop] = useState(0);
  const [looked, look] = useState(false);
  const next = useRef(0);
  const held = useRef<Entry[]>([]);
  const known = useRef(entries);
  known.current = entries;
  const [waiting, wait] = useState(0);
  const add = (more: Entry[]) =>
    set((before) => {
      const all = before.concat(more);
      const over = all.length - KEPT;
      if (over > 0) {
        drop((n) => n + over);
      }
      return over > 0 ? all.slice(over) : all;
    });
  const separate = (between: 'lost' | 'earlier', said: string): Entry => ({
    time: new Date().toISOString(),
    level: '',
    text: said,
    key: next.current++,
    between,
  });
  const readEarlier = () =>
    void earlierLines(name).then(
      (lines) => {
        const shown = new Set([...known.current, ...held.current].map(written));
        const earlier = lines.filter((line) => !shown.has(written(line))).map((line) => ({ ...line, key: next.current++ }));
        if (earlier.length === 0) {
          toast(text.log.noneEarlier);
        } else {
          set((now) => [...earlier, separate('earlier', text.log.older), ...now]);
        }
        look(true);
      },
      (error: Error) => toast(error.message, true),
    );
  const take = (more: Entry[]) => {
    if (paused) {
      held.current = held.current.concat(more);
      const over = held.current.length - KEPT;
      if (over > 0) {
        held.current = held.current.slice(over);
        drop((n) => n + over);
      }
      wait(held.current.length);
    } else {
      add(more);
    }
  };
  useStream<LogLine>(logPath(name), {
    events: (lines) => take(lines.map((line) => ({ ...line, key: next.current++ }))),
    lost: () => lose(true),
    open: (again) => {
      lose(false);
      if (again) {
        take([separate('lost', text.log.gap)]);
      }
    },
  });
  useEffect(() => {
    if (!paused) {
      add(held.current);
      held.current = [];
      wait(0);
    }
  }, [paused]);
  const wanted = filter.toLowerCase();
  const has = (part: string | undefined) => part?.toLowerCase().includes(wanted) === true;
  const shown = entries.filter(
    (entry) =>
      entry.between !== undefined ||
      ((level === '' || entry.level === level) && (has(entry.text) || has(entry.document) || has(entry.stream))),
  );
  return (
    <div class="stack">
      <div class="row">
        <button type="button" class="button" aria-pressed={paused} onClick={() => pause(!paused)}>
          {paused ? text.log.resume : text.log.pause}
        </button>
        <SearchField label={text.log.filter} value={filter} change={setFilter} />
        <select aria-label={text.log.level} value={level} onChange={(event) => setLevel(event.currentTarget.value)}>
          {LEVELS.map((one) => (
            <option key={one} value={one}>
              {one === '' ? text.log.all : one}
            </option>
          ))}
        </select>
        {looked ? null : (
          <button type="button" class="button quiet" onClick={readEarlier}>
            {text.log.earlier}
          </button>
        )}
        <button type="button" class="button quiet" onClick={() => set([])}>
          {text.log.clear}
        </button>
        <span class="soft" role="status">
          {lost ? text.log.reconnecting : waiting > 0 ? text.log.held(count(waiting)) : ''}
        </span>
      </div>
      {dropped > 0 ? <p class="tone-warn">{text.log.dropped(count(dropped))}</p> : null}
      <LogLines entries={shown} following={!paused} address={(entry) => addressOf(entry, definition.depcfg.source_bucket)} />
    </div>
  );
}

function addressOf({ document: id, stream, scope = DEFAULT, collection = DEFAULT }: Entry, bucket: string | undefined): string | undefined {
  if (stream !== undefined) {
    return to(['streams', stream]);
  }
  if (id === undefined || bucket === undefined) {
    return undefined;
  }
  return to(['documents', bucket, ...(isDefault({ bucket, scope, collection }) ? [] : [scope, collection])], { id });
}
