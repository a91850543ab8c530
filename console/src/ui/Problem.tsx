import { ApiError, curl } from '../api/http';
import { useSelf } from '../live/self';
import { text } from '../text';
import { copy } from './copy';

/** A failure in the server's own words, with what to do. */
export function Problem({ error, title, retry }: { error: unknown; title?: string; retry?: () => void }) {
  const said = error instanceof Error ? error.message : String(error);
  const self = useSelf();
  const known = error instanceof ApiError ? error : undefined;
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
      {known?.action ? <p class="soft">{known.action}</p> : null}
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
