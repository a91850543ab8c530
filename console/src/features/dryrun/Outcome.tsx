import { text } from '../../text';
import { Diff } from '../../ui/Diff';
import { bytes, counted, micros } from '../../ui/format';
import { Status } from '../../ui/Status';
import { described, type DryRunResult, effectsOf, type Invocation } from './dryRun';
import { Effects } from './Effects';

const words = text.dryRun;

/** How a dry run went: each change with its effects, or those that two versions of the code handle differently. */
export function Outcome({ outcome }: { outcome: DryRunResult }) {
  const { invocations, differences, changes, answers } = outcome;
  return (
    <section class="stack" role="status" aria-label={words.outcome}>
      <h2>
        {differences === undefined
          ? words.ran(counted(changes, 'change'))
          : words.differ(differences.length, counted(changes, 'change'))}
      </h2>
      {answers === undefined ? null : <Recorded {...answers} />}
      {(invocations ?? []).map((invocation, i) => (
        <Ran key={i} invocation={invocation} />
      ))}
      {(differences ?? []).map(({ id, invocation, compared }, i) => (
        <div key={i} class="card pad stack tight">
          <h3 class="mono break">{id}</h3>
          <p class="soft">{words.sides}</p>
          <Diff before={compared === undefined ? '' : described(compared)} after={invocation === undefined ? '' : described(invocation)} />
        </div>
      ))}
    </section>
  );
}

/** How many answers were recorded, and what could not be kept. */
function Recorded({ responses = [], sql = [], left_out: leftOut = [] }: NonNullable<DryRunResult['answers']>) {
  return (
    <>
      <p class="soft">{words.recorded(counted(responses.length + sql.length, 'answer'))}</p>
      {leftOut.length === 0 ? null : (
        <ul class="stack tight" aria-label={words.leftOut}>
          {leftOut.map((what) => (
            <li key={what} class="tone-warn break">
              {what}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** How one change was handled, and what the code would have done. */
export function Ran({ invocation }: { invocation: Invocation }) {
  const { id, entry_point: entry, result = '', error, line, column, stack, micros: time, allocated_bytes: memory } = invocation;
  const well = result === 'success' || result === 'skipped';
  return (
    <div class="card pad stack tight">
      <div class="row between">
        <h3 class="mono break">{`${entry ?? ''}(${id ?? ''})`}</h3>
        <span class="row">
          <Status tone={well ? 'ok' : 'failed'} shape={well ? 'disc' : 'triangle'} word={result.replaceAll('_', ' ')} />
          <span class="soft">
            {time === undefined ? '' : micros(time)}
            {memory === undefined ? '' : `, ${bytes(memory)}`}
          </span>
        </span>
      </div>
      {error === undefined ? null : (
        <p class="tone-failed break">
          {error} {line === undefined ? '' : text.letters.at(line, column ?? 1)}
        </p>
      )}
      {stack ? <pre class="block">{stack}</pre> : null}
      <Effects effects={effectsOf(invocation)} more={invocation.effects_left_out ?? 0} />
    </div>
  );
}
