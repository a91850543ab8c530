import { type GrantedRole, ROLES, spelled } from '../../api/access';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { type Column, DataTable } from '../../ui/DataTable';
import { Loading } from '../../ui/Empty';
import { Problem } from '../../ui/Problem';

const words = text.access;
const ROLES_MILLIS = 60_000;

const COLUMNS: Column<GrantedRole>[] = [
  { key: 'role', label: words.role, by: ({ role }) => role, show: (role) => <span class="mono break">{spelled(role)}</span> },
  { key: 'name', label: words.columns.name, by: ({ name }) => name ?? '', show: ({ name }) => name },
  { key: 'desc', label: words.columns.grants, show: ({ desc }) => <span class="prose">{desc}</span> },
];

/** The roles that can be granted. */
export function Roles() {
  const roles = useLive<GrantedRole[]>(ROLES, ROLES_MILLIS);
  if (roles.data === undefined) {
    return roles.error === undefined ? <Loading label={text.loading} /> : <Problem error={roles.error} retry={roles.refresh} />;
  }
  return <DataTable caption={words.tabs.roles} columns={COLUMNS} rows={roles.data} id={spelled} />;
}
