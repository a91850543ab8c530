import { useEffect, useState } from 'preact/hooks';
import { type User, WHOAMI } from '../api/access';
import { get } from '../api/http';

let asked: Promise<User> | undefined;

/** The user whom a command has to log in; undefined until it is known, and where no login is needed. */
export function useSelf(): string | undefined {
  const [name, set] = useState<string | undefined>();
  useEffect(() => {
    asked ??= get<User>(WHOAMI);
    asked
      .then(({ id, domain }) => set(domain === 'local' ? id : undefined))
      .catch(() => {
        asked = undefined; // asked again by the next command, perhaps after a login
      });
  }, []);
  return name;
}
