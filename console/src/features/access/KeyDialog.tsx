import { useState } from 'preact/hooks';
import { type ApiKey, calls } from '../../api/access';
import { send } from '../../api/http';
import { text } from '../../text';
import { Command } from '../../ui/Command';
import { Dialog } from '../../ui/Dialog';
import { FormDialog } from '../../ui/FormDialog';
import { TextField } from '../../ui/TextField';
import { RolesField } from './RolesField';

const words = text.access;
const DAY_MILLIS = 86_400_000;

/** Makes an API key, then shows its token, which nothing shows again. */
export function KeyDialog({ close, changed }: { close: () => void; changed: () => void }) {
  const [description, describe] = useState('');
  const [roles, grant] = useState<string[]>([]);
  const [days, last] = useState('90');
  const [token, show] = useState<string>();
  const expires = () => (days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_MILLIS).toISOString());
  const create = async () => {
    const { body } = await send<ApiKey>(calls.key(description, roles, expires()));
    show(body.token);
    changed();
  };
  if (token !== undefined) {
    return (
      <Dialog title={words.keyMade} close={close}>
        <p>{words.keyOnce}</p>
        <Command line={token} />
        <div class="actions">
          <button type="button" class="button primary" onClick={close}>
            {text.actions.close}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.newKey}
      verb={text.actions.create}
      command={calls.key(description || 'nightly load', roles, expires())}
      submit={create}
      close={close}
    >
      <TextField id="key-description" label={words.columns.description} required value={description} change={describe} />
      <TextField id="key-days" type="number" label={words.days} hint={words.daysHint} value={days} change={last} />
      <RolesField roles={roles} change={grant} />
    </FormDialog>
  );
}
