import { text } from '../../text';

/** Roles as they are granted; with {@code remove} each can be taken away. */
export function RoleChips({ roles, remove }: { roles: string[]; remove?: (role: string) => void }) {
  return roles.length === 0 ? (
    <span class="soft">{text.access.noRoles}</span>
  ) : (
    <ul class="row chips">
      {roles.map((role) => (
        <li key={role} class="chip mono">
          {role}
          {remove === undefined ? null : (
            <button type="button" class="drop" aria-label={text.access.dropRole(role)} onClick={() => remove(role)}>
              ×
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
