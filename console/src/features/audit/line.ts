import { search } from '../../api/http';

/** A line of an audit trail. */
export interface AuditLine {
  seq: number;
  timestamp: string;
  service: string;
  name: string;
  real_userid: { domain: string; user: string };
  method: string;
  remote: string;
  resource: string;
  outcome: 'allowed' | 'refused';
  reason?: string;
  left_out?: number;
  hash: string;
}

export const TRAILS = 'api/v1/audit/trails';

/** How many lines the page has at first, and keeps. */
export const KEPT = 1000;

/** The newest lines; with a filter those that match, of all lines that the store keeps. */
export function auditPath(user: string, event: string): string {
  const all = user === '' && event === '';
  return 'api/v1/audit' + search({ user, event, last: all ? KEPT : undefined });
}
