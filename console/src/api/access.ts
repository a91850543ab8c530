import type { ApiKey, GrantedRole, User } from '../../generated/documents';
import type { Secrets } from '../../generated/functions';
import { type Call, path } from './http';

export type { ApiKey, GrantedRole, User };
export type Secret = Secrets[number];

export const USERS = 'settings/rbac/users/local';
export const ROLES = 'settings/rbac/roles';
export const KEYS = 'api/v1/keys';
export const SECRETS = 'api/v1/secrets';
export const WHOAMI = 'whoami';

/** What stands in a copied command in the place of a password. */
const HIDDEN = 'PASSWORD';

const FORM = 'application/x-www-form-urlencoded';

export interface NewUser {
  id: string;
  name: string;
  roles: string[];
  /** Empty keeps the password that there is. */
  password: string;
}

const userForm = (name: string, roles: string[], password: string): string =>
  new URLSearchParams({ name, roles: roles.join(','), ...(password === '' ? {} : { password }) }).toString();

export const calls = {
  user: ({ id, name, roles, password }: NewUser): Call => ({
    method: 'PUT',
    path: path`settings/rbac/users/local/${id}`,
    body: userForm(name, roles, password),
    copied: { body: userForm(name, roles, password === '' ? '' : HIDDEN) },
    type: FORM,
  }),
  removeUser: (id: string): Call => ({ method: 'DELETE', path: path`settings/rbac/users/local/${id}` }),
  key: (description: string, roles: string[], expires: string | undefined): Call => ({
    method: 'POST',
    path: KEYS,
    json: { description, roles, ...(expires === undefined ? {} : { expires }) },
  }),
  removeKey: (id: string): Call => ({ method: 'DELETE', path: path`api/v1/keys/${id}` }),
  secret: (name: string, url: string, value: string): Call => ({
    method: 'PUT',
    path: path`api/v1/secrets/${name}`,
    json: { url, value },
    copied: { json: { url, value: HIDDEN } },
  }),
  logOut: (): Call => ({ method: 'DELETE', path: 'api/v1/session' }),
  removeSecret: (name: string): Call => ({ method: 'DELETE', path: path`api/v1/secrets/${name}` }),
};

/** Whether a role is granted on something. */
export const limited = ({ bucket_name: bucket, topic_name: topic }: GrantedRole): boolean => (bucket ?? topic ?? '') !== '';

/** A role as it is granted: data_reader[orders:shop]; parts that are everything are left out at the end. */
export function spelled(granted: GrantedRole): string {
  const { role, bucket_name: bucket, topic_name: topic, scope_name: scope, collection_name: collection } = granted;
  if (!limited(granted)) {
    return role;
  }
  const named = [topic ?? bucket, scope, collection].filter((part) => part !== undefined && part !== '');
  while (named.length > 1 && named.at(-1) === '*') {
    named.pop();
  }
  return `${role}[${named.join(':')}]`;
}
