import { useState } from 'preact/hooks';
import { type Health, HEALTH, losesData, storeOf } from '../../api/cluster';
import { calls, failureText } from '../../api/functions';
import { send } from '../../api/http';
import { useLive } from '../../live/live';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { CopyAs } from '../../ui/Command';
import { Dialog } from '../../ui/Dialog';
import { Problem } from '../../ui/Problem';
import { FunctionStatus } from '../../ui/Status';
import type { Shown } from './FunctionPage';
import { otherSource } from './source';

const BOUNDARIES = { everything: text.functions.everything, from_now: text.functions.fromNow };

/** Asks where to start, then stays and shows how the deployment goes on every node. */
export function DeployDialog({ name, definition, state, reload, close }: Shown & { close: () => void }) {
  const stored = String(definition.settings?.['dcp_stream_boundary'] ?? 'everything');
  const [boundary, choose] = useState(stored);
  const [asked, ask] = useState(false);
  const [refused, refuse] = useState<unknown>();
  const { app, num_eventing_nodes: nodes } = state;
  const call = calls.deploy(name, { dcp_stream_boundary: boundary });
  const ready = app.num_deployed_nodes ?? 0;
  const failed = asked && app.composite_status === 'undeployed' && app.failure !== undefined;
  const deploying = asked && !failed;
  const deploy = async (event: Event) => {
    event.preventDefault();
    if (deploying) {
      return;
    }
    refuse(undefined);
    try {
      await send(call);
      ask(true);
      reload();
    } catch (error) {
      refuse(error);
    }
  };
  // the state has the counts of the nodes that answered: one that is silent is not ready
  if (asked && app.composite_status === 'deployed' && ready >= nodes) {
    toast(text.functions.deployedDone(name));
    close();
  }
  return (
    <Dialog title={text.functions.deployTitle(name)} close={close}>
      <form class="stack" onSubmit={(event) => void deploy(event)}>
        <fieldset class="stack tight">
          <legend>{text.functions.boundary}</legend>
          {Object.entries(BOUNDARIES).map(([value, label]) => (
            <label key={value} class="row">
              <input type="radio" name="boundary" checked={value === boundary} onChange={() => choose(value)} />
              {label}
            </label>
          ))}
        </fieldset>
        <dl class="facts">
          <dt>{text.functions.source}</dt>
          <dd class="mono">{definition.depcfg.source_bucket ?? otherSource(definition.depcfg)}</dd>
          <dt>{text.functions.metadata}</dt>
          <dd class="mono">{definition.depcfg.metadata_bucket}</dd>
        </dl>
        <LossWarning />
        {deploying ? (
          <div class="row" role="status">
            <FunctionStatus state={app.composite_status} />
            <span class="soft">{text.functions.nodes(ready, nodes)}</span>
          </div>
        ) : null}
        {failed ? <Problem title={text.functions.failedWith} error={failureText(app.failure)} /> : null}
        {refused === undefined ? null : <Problem error={refused} />}
        <div class="actions">
          <CopyAs call={call} />
          <button type="button" class="button" onClick={close}>
            {text.actions.close}
          </button>
          <button type="submit" class="button primary" aria-disabled={deploying}>
            {text.functions.deploy}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Says before a deployment that a crash of the store would lose what the function relies on. */
function LossWarning() {
  const store = storeOf(useLive<Health>(HEALTH).data);
  return store === undefined || !losesData(store) ? null : (
    <div class="problem" role="note">
      <strong>{text.store.deployWarning}</strong>
      <p>{store.loss}</p>
    </div>
  );
}
