import { useState } from 'preact/hooks';
import { BY, type By, command, tracesPath } from '../../api/traces';
import { go, to, useRoute } from '../../shell/router';
import { text } from '../../text';
import { CopyAs } from '../../ui/Command';
import { Page } from '../../ui/Page';
import { Found, Teaches } from './Found';
import { TracePage } from './TracePage';

const words = text.traces;

/** Traces by what they are about, or one of them. */
export function Traces({ id }: { id: string | undefined }) {
  return id === undefined ? <Search /> : <TracePage id={id} />;
}

function Search() {
  const { query } = useRoute();
  const by = BY.find((one) => query.has(one)) ?? 'document';
  const value = query.get(by) ?? '';
  return (
    <Page
      title={words.title}
      actions={value === '' ? undefined : <CopyAs call={{ method: 'GET', path: tracesPath(by, value) }} cli={command(by, value)} />}
    >
      <div class="stack">
        <p class="soft">{words.says}</p>
        <SearchForm key={by + value} by={by} value={value} />
        {value === '' ? <Teaches /> : <Found by={by} value={value} />}
      </div>
    </Page>
  );
}

/** Takes effect when it is sent: ids are pasted, and half of one finds nothing. */
function SearchForm({ by, value }: { by: By; value: string }) {
  const [way, choose] = useState(by);
  const [typed, type] = useState(value);
  const find = (event: Event) => {
    event.preventDefault();
    const wanted = typed.trim();
    go(way === 'trace' && wanted !== '' ? to(['traces', idIn(wanted)]) : to(['traces'], { [way]: wanted }));
  };
  return (
    <form class="row" role="search" onSubmit={find}>
      <select aria-label={words.by} value={way} onChange={(event) => choose(event.currentTarget.value as By)}>
        {BY.map((one) => (
          <option key={one} value={one}>
            {words.ways[one]}
          </option>
        ))}
      </select>
      <input
        type="search"
        class="mono grow trace-search"
        aria-label={words.placeholders[way]}
        placeholder={words.placeholders[way]}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
      />
      <button type="submit" class="button primary">
        {words.find}
      </button>
    </form>
  );
}

/** The id of a trace is the second part of a traceparent. */
function idIn(trace: string): string {
  return trace.split('-')[1] ?? trace;
}
