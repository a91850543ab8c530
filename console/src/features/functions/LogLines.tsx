import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { text } from '../../text';
import { clock, moment } from '../../ui/format';
import { useMatch } from '../../ui/media';
import { useZone } from '../../ui/zone';
import type { Entry } from './LogTab';

const BEYOND = 20;

/** Where a line has two rows; the style sheet says the same. */
const NARROW = '(max-width: 760px)';
const LINE = 20;
const NARROW_LINE = 40;

interface Props {
  entries: Entry[];
  following: boolean;
  /** Where the document or the stream is that a line is about; undefined for a line about neither. */
  address: (entry: Entry) => string | undefined;
}

/** Only the lines in view are elements: 1,000 new ones a second must not slow down scrolling. */
export function LogLines({ entries, following, address }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [view, set] = useState({ top: 0, height: 600 });
  const stuck = useRef(true);
  const line = useMatch(NARROW) ? NARROW_LINE : LINE;
  useZone();
  useEffect(() => {
    const element = box.current;
    if (element === null) {
      return undefined;
    }
    const observer = new ResizeObserver(() => set((before) => ({ ...before, height: element.clientHeight })));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (following && stuck.current && box.current !== null) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  }, [entries.length, following, line]);
  const scrolled = () => {
    const element = box.current;
    if (element !== null) {
      stuck.current = element.scrollTop + element.clientHeight >= element.scrollHeight - line;
      set({ top: element.scrollTop, height: element.clientHeight });
    }
  };
  const first = Math.max(0, Math.floor(view.top / line) - BEYOND);
  const last = Math.min(entries.length, Math.ceil((view.top + view.height) / line) + BEYOND);
  return (
    <div class="log card" ref={box} onScroll={scrolled} tabIndex={0} role="log" aria-live="off" aria-label={text.log.label}>
      {entries.length === 0 ? <p class="pad soft">{text.log.waiting}</p> : null}
      <div class="log-space" style={{ height: `${entries.length * line}px` }}>
        {entries.slice(first, last).map((entry, i) => (
          <div key={entry.key} class={`log-line ${entry.level}`} style={{ top: `${(first + i) * line}px` }} title={entry.text}>
            {entry.between ? <span class={entry.between === 'lost' ? 'tone-warn' : 'soft'}>{entry.text}</span> : <Line entry={entry} address={address(entry)} />}
          </div>
        ))}
      </div>
    </div>
  );
}

function Line({ entry, address }: { entry: Entry; address: string | undefined }) {
  const { time, level, text: said, document: id, stream } = entry;
  const at = Date.parse(time);
  return (
    <>
      <time dateTime={time} title={moment(at)}>
        {clock(at)}
      </time>
      <span class="level">{level}</span>
      <span class="about">{address === undefined ? null : <a href={address}>{id ?? stream}</a>}</span>
      <span class="said">{said}</span>
    </>
  );
}
