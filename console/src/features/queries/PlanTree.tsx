import type { Plan } from '../../api/queries';
import { text } from '../../text';

const isPlan = (value: unknown): value is Plan => typeof value === 'object' && value !== null && '#operator' in value;

/** The operators below one, whatever the members are called that hold them. */
function children(plan: Plan): Plan[] {
  return Object.values(plan).flatMap((value) => (Array.isArray(value) ? value.filter(isPlan) : isPlan(value) ? [value] : []));
}

function facts(plan: Plan): string {
  return Object.entries(plan)
    .filter(([name, value]) => name !== '#operator' && !isPlan(value) && !(Array.isArray(value) && value.some(isPlan)))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

const has = (plan: Plan, operator: string): boolean =>
  plan['#operator'].includes(operator) || children(plan).some((child) => has(child, operator));

function Node({ plan }: { plan: Plan }) {
  return (
    <li>
      <strong class="mono">{plan['#operator']}</strong> <span class="soft mono break">{facts(plan)}</span>
      <ul>
        {children(plan).map((child, i) => (
          <Node key={i} plan={child} />
        ))}
      </ul>
    </li>
  );
}

/** The operators of a plan: each takes its rows from those below. */
export function PlanLines({ plan }: { plan: Plan }) {
  return (
    <ul class="plan">
      <Node plan={plan} />
    </ul>
  );
}

/** A plan, and whether its order comes from an index. */
export function PlanTree({ plan }: { plan: Plan }) {
  return (
    <section class="card pad stack tight">
      <h2>{text.queries.plan}</h2>
      {has(plan, 'Order') ? null : <p class="soft">{text.queries.noSort}</p>}
      <PlanLines plan={plan} />
    </section>
  );
}
