import type { OwnershipMap as Ownership, VbucketSet } from '../../generated/functions';
import type { Call } from './http';
import { path } from './http';

export type { Ownership, VbucketSet };

export interface Change {
  message: { id: string; type: string };
  phase: string;
  cancel: boolean;
  error: string;
}

export interface Topology {
  mode: string;
  live: string[];
  /** Of the live nodes, those that take no connection any more; absent while an earlier version answers. */
  unreachable?: string[];
  members: string[];
  out: string[];
  frozen: boolean;
  rebalancing: boolean;
  planned: Record<string, VbucketSet>;
  before: Record<string, VbucketSet>;
  change?: Change | null;
}

export interface Task {
  id: string;
  type?: string;
  progress?: number;
  detailedProgress?: Record<string, number>;
  errorMessage?: string;
  isCancelable?: boolean;
}

export interface Tasks {
  tasks: Task[];
}

export interface Health {
  status: string;
  components?: Record<string, HealthPart>;
}

export interface HealthPart {
  status: string;
  details?: Record<string, unknown>;
  components?: Record<string, HealthPart>;
}

export interface NodeInfo {
  id: string;
  service: string;
  address: string;
  version: string;
  expires: string;
}

/** The Redis behind everything; what it does not disclose is absent or `unknown`. */
export interface StoreHealth {
  takesWrites: boolean;
  reason: string | undefined;
  appendOnly: boolean | undefined;
  appendFsync: string | undefined;
  evictionPolicy: string | undefined;
  replicas: number | undefined;
  usedMemory: number | undefined;
  maxMemory: number | undefined;
  /** What a crash loses, in a sentence. */
  loss: string | undefined;
}

/** What the health of the gateway says about the store; undefined while it does not answer. */
export function storeOf(health: Health | undefined): StoreHealth | undefined {
  const part = health?.components?.['store'];
  const details = part?.details ?? {};
  if (part === undefined || !('usedMemory' in details)) {
    return undefined;
  }
  const known = (name: string) => (details[name] === undefined || details[name] === 'unknown' ? undefined : String(details[name]));
  const sync = known('appendFsync');
  return {
    takesWrites: part.status === 'UP',
    reason: known('reason'),
    appendOnly: sync === undefined ? undefined : details['appendOnly'] === true,
    appendFsync: sync,
    evictionPolicy: known('evictionPolicy'),
    replicas: known('replicas') === undefined ? undefined : Number(details['replicas']),
    usedMemory: Number(details['usedMemory']),
    maxMemory: Number(details['maxMemory']),
    loss: known('loss'),
  };
}

/** Whether a crash loses more than the last second, or a full memory loses documents. */
export const losesData = ({ appendOnly, evictionPolicy = 'noeviction' }: StoreHealth): boolean =>
  appendOnly === false || evictionPolicy !== 'noeviction';

export const HEALTH = 'actuator/health';
export const TOPOLOGY = 'api/v1/topology';
export const TASKS = 'api/v1/topology/tasks';
export const OWNERSHIP = 'getOwnershipMap';
export const NODES = 'api/v1/nodes';

export const calls = {
  rebalance: (ejectNodes: string[]): Call => ({
    method: 'POST',
    path: 'api/v1/topology/rebalance',
    json: ejectNodes.length === 0 ? {} : { ejectNodes },
  }),
  failover: (node: string): Call => ({
    method: 'POST',
    path: 'api/v1/topology/failover',
    json: { nodes: [node], graceful: false },
  }),
  stop: (task: string): Call => ({ method: 'DELETE', path: path`api/v1/topology/tasks/${task}` }),
};

/** The numbers in a set of vbuckets, which is written as ranges: 0-340,512. */
export function numbers(vbuckets: VbucketSet | undefined): number[] {
  return (vbuckets ?? '')
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}
