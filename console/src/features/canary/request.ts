import type { CanaryRequest } from '../../api/functions';

/** The parts of the vbuckets that the form offers. */
export const SHARES = [256, 64, 16, 4, 2];

/** What the form of a canary has, as it is typed. */
export interface Wanted {
  /** The number of a version; empty for the code in the editor. */
  version: string;
  share: number;
  errorPercent: string;
  slowdown: string;
  events: string;
  promoteSeconds: string;
}

/** The defaults of the server. */
export const USUAL: Wanted = { version: '', share: 64, errorPercent: '5', slowdown: '0', events: '50', promoteSeconds: '' };

export function requestOf(wanted: Wanted, draft: string | undefined): CanaryRequest {
  const { version, share, errorPercent, slowdown, events, promoteSeconds } = wanted;
  return {
    ...(draft === undefined ? { version: Number(version) } : { code: draft }),
    share: `1/${share}`,
    rule: {
      max_error_rate: Number(errorPercent) / 100,
      max_slowdown: Number(slowdown),
      min_events: Number(events),
      ...(promoteSeconds === '' ? {} : { promote_after: Number(promoteSeconds) }),
    },
  };
}
