import { ApiError, curl } from '../api/http';
import { useSelf } from '../live/self';
import { text } from '../text';
import { copy } from './copy';

const LOGIN_NEEDED = 401;

/** A failure in the server's own words, with what to do; a login that is missing is what the banner of the page is about. */
export function Problem({ error, title, retry }: { error: unknown; title?: string; retry?: () => void }) {
  const known = error instanceof ApiError ? error : undefined;
  // what the server says of logins is for programs, and a banner above has the way to one
  const needsLogin = known?.status === LOGIN_NEEDED;
  const said = needsLogin ? text.errors.afterLogin : error instanceof Error ? error.message : String(error);
  const self = useSelf();
  const details = () =>
    void copy(
      known === undefined
        ? said
        : `${curl(known.call, self)}\n${known.status} ${known.code}\n${JSON.stringify(known.body, null, 2)}`,
    );
  return (
    <div class="problem" role="alert">
      {title === undefined ? null : <strong>{title}</strong>}
      <p>{said}</p>
      {known?.action && !needsLogin ? <p class="soft">{known.action}</p> : null}
      <div class="row">
        {known?.code ? <span class="chip mono">{known.code}</span> : null}
        {retry === undefined ? null : (
          <button type="button" class="button" onClick={retry}>
            {text.actions.retry}
          </button>
        )}
        <button type="button" class="button quiet" onClick={details}>
          {text.actions.copyDetails}
        </button>
      </div>
    </div>
  );
}
