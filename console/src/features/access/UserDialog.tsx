import { useState } from 'preact/hooks';
import { calls, type NewUser, spelled, type User } from '../../api/access';
import { send } from '../../api/http';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { FormDialog } from '../../ui/FormDialog';
import { TextField } from '../../ui/TextField';
import { RolesField } from './RolesField';

const words = text.access;

/** A new user, or the roles, name and password of one that exists. */
export function UserDialog({ user, close, changed }: { user: User | undefined; close: () => void; changed: () => void }) {
  const [wanted, set] = useState<NewUser>({
    id: user?.id ?? '',
    name: user?.name ?? '',
    roles: user?.roles.map(spelled) ?? [],
    password: '',
  });
  const save = async () => {
    await send(calls.user(wanted));
    toast(words.saved(wanted.id));
    changed();
    close();
  };
  return (
    <FormDialog
      title={user === undefined ? words.newUser : words.editNamed(user.id)}
      verb={text.actions.save}
      command={calls.user({ ...wanted, id: wanted.id || 'USER' })}
      submit={save}
      close={close}
    >
      {user === undefined ? (
        <TextField id="user-id" label={words.columns.user} required value={wanted.id} change={(id) => set({ ...wanted, id })} />
      ) : null}
      <TextField id="user-name" label={words.columns.name} value={wanted.name} change={(name) => set({ ...wanted, name })} />
      <TextField
        id="user-password"
        type="password"
        label={words.password}
        hint={user === undefined ? words.passwordHint : words.passwordKept}
        required={user === undefined}
        value={wanted.password}
        change={(password) => set({ ...wanted, password })}
      />
      <RolesField roles={wanted.roles} change={(roles) => set({ ...wanted, roles })} />
    </FormDialog>
  );
}
