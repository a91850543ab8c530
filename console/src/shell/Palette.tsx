import { useEffect, useRef, useState } from 'preact/hooks';
import type { Bucket } from '../api/documents';
import { type AllStates, nameOfState, STATES } from '../api/functions';
import { get } from '../api/http';
import { text } from '../text';
import { chooseZone, otherZone } from '../ui/zone';
import { PLACES } from './Rail';
import { go, to } from './router';
import { choose as setTheme, theme } from './theme';

interface Entry {
  label: string;
  kind: string;
  act: () => void;
}

const SHOWN = 12;

/** Finds pages, functions, buckets and actions by a few letters of their names. */
export function Palette({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, type] = useState('');
  const [chosen, choose] = useState(0);
  const [entries, set] = useState<Entry[]>(pages);
  useEffect(() => {
    dialog.current?.showModal();
    void found().then((more) => set([...pages(), ...more]));
  }, []);
  const matching = entries.filter((entry) => matches(entry.label, typed)).slice(0, SHOWN);
  const take = (entry: Entry | undefined) => {
    if (entry !== undefined) {
      close();
      entry.act();
    }
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      choose((chosen + step + matching.length) % Math.max(1, matching.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      take(matching[chosen]);
    }
  };
  return (
    <dialog ref={dialog} class="palette" aria-label={text.palette.open} onClose={close}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={matching.length > 0 ? `palette-${chosen}` : undefined}
        aria-label={text.palette.label}
        placeholder={text.palette.label}
        value={typed}
        onInput={(event) => {
          type(event.currentTarget.value);
          choose(0);
        }}
        onKeyDown={onKey}
      />
      <ul id="palette-entries" role="listbox" aria-label={text.palette.label}>
        {matching.map((entry, i) => (
          <li
            key={entry.kind + entry.label}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => take(entry)}
          >
            <span>{entry.label}</span>
            <span>{entry.kind}</span>
          </li>
        ))}
      </ul>
      {matching.length === 0 ? <p class="pad soft">{text.palette.empty}</p> : null}
    </dialog>
  );
}

function pages(): Entry[] {
  const other = theme() === 'dark' ? 'light' : 'dark';
  return [
    ...PLACES.map(({ key, address }) => ({ label: text.places[key], kind: text.palette.page, act: () => go(address) })),
    { label: text.functions.create, kind: text.palette.action, act: () => go(to(['functions', '-', 'new'])) },
    { label: text.archive.title, kind: text.palette.page, act: () => go(to(['functions', '-', 'archive'])) },
    { label: text.theme[other], kind: text.palette.action, act: () => setTheme(other) },
    { label: text.zone[otherZone()], kind: text.palette.action, act: () => chooseZone(otherZone()) },
  ];
}

async function found(): Promise<Entry[]> {
  const [functions, buckets] = await Promise.all([
    get<AllStates>(STATES).catch((): AllStates => ({ apps: [], num_eventing_nodes: 0 })),
    get<Bucket[]>('api/v1/buckets').catch((): Bucket[] => []),
  ]);
  return [
    ...functions.apps.map(nameOfState).map((name) => ({
      label: name,
      kind: text.palette.fn,
      act: () => go(to(['functions', name])),
    })),
    ...buckets.map(({ name }) => ({ label: name, kind: text.palette.bucket, act: () => go(to(['documents', name])) })),
  ];
}

/** Whether the letters occur in this order. */
function matches(label: string, typed: string): boolean {
  const letters = [...typed.toLowerCase().replaceAll(' ', '')];
  let from = 0;
  return letters.every((letter) => {
    from = label.toLowerCase().indexOf(letter, from) + 1;
    return from > 0;
  });
}
