import { useState } from 'preact/hooks';
import { calls, type DeadLetters, lettersPath } from '../../api/functions';
import { send } from '../../api/http';
import { EVERY_MILLIS, SLOW_MILLIS, useGrowing } from '../../live/live';
import { useParameter } from '../../shell/router';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Act } from '../../ui/Act';
import { CopyAs } from '../../ui/Command';
import { Confirm } from '../../ui/Dialog';
import { Loading } from '../../ui/Empty';
import { count, counted } from '../../ui/format';
import { Problem } from '../../ui/Problem';
import { Time } from '../../ui/Time';
import type { Shown } from '../functions/FunctionPage';
import { Letter, nameOf } from './Letter';

const PAGE = 100;

/** The most dead letters that one answer has. */
const MOST = 1000;

/** What the function could not handle, grouped by error. */
export function LettersTab(shown: Shown) {
  const { name } = shown;
  const [limit, extend] = useState(PAGE);
  const letters = useGrowing<DeadLetters>(lettersPath(name, limit), limit > PAGE ? SLOW_MILLIS : EVERY_MILLIS);
  const [open, show] = useParameter('letter');
  const [dropping, drop] = useState(false);
  const page = letters.data;
  if (page === undefined) {
    return letters.error === undefined ? <Loading label={text.loading} /> : <Problem error={letters.error} />;
  }
  if (page.total === 0) {
    return <p class="card pad">{text.letters.empty}</p>;
  }
  const groups = new Map<string, typeof page.dead_letters>();
  for (const letter of page.dead_letters) {
    groups.set(letter.error, [...(groups.get(letter.error) ?? []), letter]);
  }
  return (
    <div class="stack">
      <div class="row">
        <strong class="own-line">{counted(page.total, 'dead letter')}</strong>
        <Act class="button primary" call={calls.replay(name)} done={text.letters.replaying(count(page.total))} after={letters.refresh}>
          {text.letters.replayAll}
        </Act>
        <button type="button" class="button danger" onClick={() => drop(true)}>
          {text.letters.dropAll}
        </button>
        <CopyAs call={calls.replay(name)} />
      </div>
      {[...groups].map(([error, members]) => (
        <section key={error} class="card">
          <h2 class="pad mono break letter-error">
            {error} <span class="chip">{count(members.length)}</span>
          </h2>
          <ul>
            {members.map((letter) => (
              <li key={letter.letter} class="letter">
                <div class="row between">
                  <button
                    type="button"
                    class="button quiet mono break"
                    aria-expanded={open === letter.letter}
                    onClick={() => show(open === letter.letter ? '' : letter.letter)}
                  >
                    {nameOf(letter)}
                  </button>
                  <span class="soft">
                    <Time at={letter.died} />
                  </span>
                </div>
                {open === letter.letter ? <Letter shown={shown} letter={letter} changed={letters.refresh} /> : null}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {page.dead_letters.length < page.total ? (
        <div class="row">
          <span class="soft">{text.letters.shown(count(page.dead_letters.length), count(page.total))}</span>
          {limit < MOST ? (
            <button type="button" class="button" onClick={() => extend(limit + PAGE)}>
              {text.actions.showMore}
            </button>
          ) : null}
        </div>
      ) : null}
      {dropping ? (
        <Confirm
          title={text.letters.dropAll}
          body={text.letters.dropBody}
          name={name}
          verb={text.letters.dropAll}
          call={calls.drop(name)}
          close={() => drop(false)}
          act={() =>
            void send(calls.drop(name)).then(letters.refresh, (error: Error) => toast(error.message, true))
          }
        />
      ) : null}
    </div>
  );
}
