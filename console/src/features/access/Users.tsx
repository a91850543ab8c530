import { useState } from 'preact/hooks';
import { calls, spelled, type User, USERS } from '../../api/access';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { type Column, DataTable } from '../../ui/DataTable';
import { Loading } from '../../ui/Empty';
import { Problem } from '../../ui/Problem';
import { RowActs } from '../../ui/RowActs';
import { Removal } from './Removal';
import { RoleChips } from './RoleChips';
import { UserDialog } from './UserDialog';

const words = text.access;
const USERS_MILLIS = 5000;

/** The users with their roles. */
export function Users() {
  const users = useLive<User[]>(USERS, USERS_MILLIS);
  const [edited, edit] = useState<User | 'new'>();
  const [removed, remove] = useState<User>();
  const columns: Column<User>[] = [
    { key: 'id', label: words.columns.user, by: ({ id }) => id, show: ({ id }) => <span class="mono break">{id}</span> },
    { key: 'name', label: words.columns.name, by: ({ name }) => name ?? '', show: ({ name }) => <span class="break">{name}</span> },
    { key: 'roles', label: words.columns.roles, show: ({ roles }) => <RoleChips roles={roles.map(spelled)} /> },
    {
      key: 'acts',
      label: '',
      show: (user) => (
        <RowActs>
          <button type="button" class="button" aria-label={words.editNamed(user.id)} onClick={() => edit(user)}>
            {words.edit}
          </button>
          <button type="button" class="button danger" aria-label={words.deleteNamed(user.id)} onClick={() => remove(user)}>
            {text.actions.delete}
          </button>
        </RowActs>
      ),
    },
  ];
  return (
    <div class="stack">
      <div class="row">
        <button type="button" class="button primary" onClick={() => edit('new')}>
          {words.newUser}
        </button>
      </div>
      {users.error === undefined ? null : <Problem error={users.error} retry={users.refresh} />}
      {users.data === undefined && users.error === undefined ? <Loading label={text.loading} /> : null}
      {users.data === undefined ? null : (
        <DataTable caption={words.tabs.users} columns={columns} rows={users.data} id={({ id }) => id} />
      )}
      {edited === undefined ? null : (
        <UserDialog user={edited === 'new' ? undefined : edited} close={() => edit(undefined)} changed={users.refresh} />
      )}
      {removed === undefined ? null : (
        <Removal
          title={words.deleteUser}
          body={words.deleteUserBody}
          name={removed.id}
          call={calls.removeUser(removed.id)}
          close={() => remove(undefined)}
          changed={users.refresh}
        />
      )}
    </div>
  );
}
