import { useState } from 'preact/hooks';
import { type GrantedRole, limited, ROLES } from '../../api/access';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { RoleChips } from './RoleChips';

const words = text.access;
const ROLES_MILLIS = 60_000;

/** Chooses roles of the server, each with what it is granted on. */
export function RolesField({ roles, change }: { roles: string[]; change: (roles: string[]) => void }) {
  const known = useLive<GrantedRole[]>(ROLES, ROLES_MILLIS);
  const [name, choose] = useState('');
  const [on, restrict] = useState('');
  const role = known.data?.find((one) => one.role === name);
  const hasTarget = role !== undefined && limited(role);
  const add = () => {
    const granted = hasTarget ? `${name}[${on === '' ? '*' : on}]` : name;
    change([...roles.filter((one) => one !== granted), granted]);
    choose('');
    restrict('');
  };
  return (
    <fieldset class="stack tight">
      <legend>{words.columns.roles}</legend>
      <RoleChips roles={roles} remove={(gone) => change(roles.filter((one) => one !== gone))} />
      <div class="row">
        <select aria-label={words.role} value={name} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">{words.chooseRole}</option>
          {(known.data ?? []).map((one) => (
            <option key={one.role} value={one.role}>
              {one.name ?? one.role}
            </option>
          ))}
        </select>
        {hasTarget ? (
          <input
            class="mono grow"
            aria-label={words.on}
            placeholder={words.on}
            value={on}
            onInput={(event) => restrict(event.currentTarget.value)}
          />
        ) : null}
        <button type="button" class="button" disabled={name === ''} onClick={add}>
          {words.grant}
        </button>
      </div>
      {role?.desc === undefined ? null : <span class="soft">{role.desc}</span>}
    </fieldset>
  );
}
