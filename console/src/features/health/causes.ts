import { type Health, losesData, storeOf, type Topology } from '../../api/cluster';
import { type AllStates, failureText, nameOfState, nameOfStats, type Stats } from '../../api/functions';
import { to } from '../../shell/router';
import type { ApiError } from '../../api/http';
import { text } from '../../text';
import { counted, duration } from '../../ui/format';
import { runs, trend } from '../functions/rates';

export interface Cause {
  says: string;
  action?: string;
  address: string;
  tone: 'failed' | 'warn' | 'busy';
}

/** Why nothing is known of the whole; undefined where it is, and for who may not see it. */
export function noAnswer(error: ApiError | undefined): string | undefined {
  if (error === undefined || (error.status > 0 && error.status < 500)) {
    return undefined;
  }
  return error.status === 0 ? text.errors.unreachable : text.errors.status(error.status);
}

/** A function that is further behind than this needs attention. */
const LAG_SECONDS = 10;

export function serviceCauses(health: Health | undefined): Cause[] {
  const services = health?.components?.['services']?.components ?? {};
  return Object.entries(services)
    .filter(([, { status }]) => status !== 'UP')
    .map(([name, { status, details }]) => ({
      says: text.health.serviceDown(name, String(details?.['reason'] ?? details?.['status'] ?? status)),
      action: text.health.serviceAction,
      address: to(['system']),
      tone: 'failed',
    }));
}

/** What is wrong with the Redis behind everything. */
export function storeCauses(health: Health | undefined): Cause[] {
  const store = storeOf(health);
  const address = to(['system']);
  const causes: Cause[] = [];
  if (store?.takesWrites === false) {
    causes.push({
      says: text.store.refuses(store.reason ?? ''),
      action: text.store.refusesAction,
      address,
      tone: 'failed',
    });
  }
  if (store?.loss !== undefined && losesData(store)) {
    causes.push({ says: text.store.loses(store.loss), address, tone: 'failed' });
  }
  return causes;
}

export function topologyCauses(topology: Topology | undefined): Cause[] {
  if (topology === undefined) {
    return [];
  }
  const address = to(['cluster']);
  const gone = topology.members.filter((node) => !topology.live.includes(node));
  const causes: Cause[] = gone.map((node) => ({ says: text.health.nodeGone(node), address, tone: 'failed' }));
  causes.push(
    ...(topology.unreachable ?? []).map(
      (node): Cause => ({ says: text.health.nodeSilent(node), action: text.health.nodeAction, address, tone: 'failed' }),
    ),
  );
  if (topology.rebalancing) {
    causes.push({ says: text.health.rebalance, address, tone: 'busy' });
  } else if (topology.change?.error) {
    causes.push({ says: text.health.rebalanceFailed(topology.change.error), address, tone: 'failed' });
  }
  return causes;
}

export function functionCauses(states: AllStates | undefined, all: Stats[] | undefined): Cause[] {
  const causes: Cause[] = [];
  for (const state of states?.apps ?? []) {
    const name = nameOfState(state);
    if (state.failure !== undefined) {
      causes.push({
        says: text.health.failed(name, failureText(state.failure)),
        address: to(['functions', name]),
        tone: 'failed',
      });
    }
    const stats = all?.find((one) => nameOfStats(one) === name);
    if (stats !== undefined && runs(state)) {
      causes.push(...runningCauses(name, stats));
    }
  }
  return causes;
}

function runningCauses(name: string, stats: Stats): Cause[] {
  const causes: Cause[] = [];
  const { failedLastMinute } = trend(name);
  if (failedLastMinute > 0) {
    causes.push({
      says: text.health.failing(name, counted(failedLastMinute, 'failure')),
      address: to(['functions', name, 'log']),
      tone: 'failed',
    });
  }
  const lag = stats.lag_seconds ?? 0;
  if (lag > LAG_SECONDS) {
    causes.push({
      says: text.health.lagging(name, duration(lag)),
      address: to(['functions', name]),
      tone: 'warn',
    });
  }
  return causes;
}
