import { useState } from 'preact/hooks';
import { calls, type Timer } from '../../api/functions';
import { send } from '../../api/http';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { Act } from '../../ui/Act';
import { CopyAs } from '../../ui/Command';
import { FormDialog } from '../../ui/FormDialog';
import { RowActs } from '../../ui/RowActs';
import { TextField } from '../../ui/TextField';
import { Time } from '../../ui/Time';

export function TimerRow({ name, timer, changed }: { name: string; timer: Timer; changed: () => void }) {
  const [moving, move] = useState(false);
  const fire = calls.timer(name, 'fire', timer);
  return (
    <tr>
      <th scope="row" class="mono break">
        {timer.reference}
      </th>
      <td class="mono" data-label={text.timers.callback}>
        {timer.callback}
      </td>
      <td class="nowrap" data-label={text.timers.due}>
        <Time at={timer.due} />
      </td>
      <td class="mono break" data-label={text.timers.context}>
        {timer.context}
      </td>
      <td>
        <RowActs>
          <Act
            call={fire}
            label={text.timers.named(text.timers.fire, timer.reference)}
            done={text.timers.fired}
            after={changed}
          >
            {text.timers.fire}
          </Act>
          <button
            type="button"
            class="button"
            aria-label={text.timers.named(text.timers.move, timer.reference)}
            onClick={() => move(true)}
          >
            {text.timers.move}
          </button>
          <Act
            class="button danger"
            call={calls.timer(name, 'cancel', timer)}
            label={text.timers.named(text.timers.cancel, timer.reference)}
            done={text.timers.cancelled}
            confirm={{
              title: text.timers.cancel,
              body: text.timers.cancelBody(timer.callback, timer.reference),
              name: timer.reference,
            }}
            after={changed}
          >
            {text.timers.cancel}
          </Act>
          <CopyAs call={fire} label={text.timers.named(text.actions.copyAs, timer.reference)} />
        </RowActs>
        {moving ? <MoveDialog name={name} timer={timer} changed={changed} close={() => move(false)} /> : null}
      </td>
    </tr>
  );
}

function MoveDialog(props: { name: string; timer: Timer; changed: () => void; close: () => void }) {
  const { name, timer, changed, close } = props;
  const [due, set] = useState(timer.due);
  const call = calls.timer(name, 'move', timer, due);
  const move = async () => {
    await send(call);
    toast(text.timers.moved);
    close();
    changed();
  };
  return (
    <FormDialog title={text.timers.move} verb={text.timers.move} command={call} submit={move} close={close}>
      <TextField id="timer-due" label={text.timers.newDue} required value={due} change={set} />
    </FormDialog>
  );
}
