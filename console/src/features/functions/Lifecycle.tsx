import { useState } from 'preact/hooks';
import { calls } from '../../api/functions';
import { move, to } from '../../shell/router';
import { toast } from '../../shell/toasts';
import { send } from '../../api/http';
import { text } from '../../text';
import { Act } from '../../ui/Act';
import { CopyAs } from '../../ui/Command';
import { Confirm } from '../../ui/Dialog';
import { DeployDialog } from './DeployDialog';
import type { Shown } from './FunctionPage';

type Open = 'deploy' | 'undeploy' | 'delete' | undefined;

/** The buttons that change the state of a function. */
export function Lifecycle(shown: Shown) {
  const { name, state, reload } = shown;
  const [open, set] = useState<Open>();
  const now = state.app.composite_status;
  const act = (call: ReturnType<typeof calls.remove>, after: () => void) => () =>
    void send(call).then(after, (error: Error) => toast(error.message, true));
  const close = () => set(undefined);
  const first = now === 'paused' ? calls.move(name, 'resume') : now === 'deployed' ? calls.move(name, 'pause') : calls.deploy(name);
  return (
    <>
      {now === 'undeployed' ? (
        <>
          <button type="button" class="button primary" onClick={() => set('deploy')}>
            {text.functions.deploy}
          </button>
          <button type="button" class="button danger" onClick={() => set('delete')}>
            {text.actions.delete}
          </button>
        </>
      ) : null}
      {now === 'paused' ? (
        <Act class="button primary" call={calls.move(name, 'resume')} after={reload}>
          {text.functions.resume}
        </Act>
      ) : null}
      {now === 'deployed' ? (
        <Act call={calls.move(name, 'pause')} after={reload}>
          {text.functions.pause}
        </Act>
      ) : null}
      {now === 'undeployed' ? null : (
        <button type="button" class="button" onClick={() => set('undeploy')}>
          {text.functions.undeploy}
        </button>
      )}
      <CopyAs call={first} />
      {open === 'deploy' ? <DeployDialog {...shown} close={close} /> : null}
      {open === 'undeploy' ? (
        <Confirm
          title={text.functions.undeploy}
          body={text.functions.undeployBody}
          name={name}
          verb={text.functions.undeploy}
          call={calls.move(name, 'undeploy')}
          close={close}
          act={act(calls.move(name, 'undeploy'), reload)}
        />
      ) : null}
      {open === 'delete' ? (
        <Confirm
          title={text.functions.delete}
          body={text.functions.deleteBody}
          name={name}
          verb={text.functions.delete}
          call={calls.remove(name)}
          close={close}
          act={act(calls.remove(name), () => {
            toast(text.functions.deleted(name));
            move(to(['functions']));
          })}
        />
      ) : null}
    </>
  );
}
