import { useEffect, useState } from 'preact/hooks';
import { type User, WHOAMI } from '../api/access';
import { ApiError, get, onLogin } from '../api/http';

const AGAIN_MILLIS = 5_000;
const LOGIN_NEEDED = 401;

let asked: Promise<User> | undefined;

export interface Login {
  /** The user whom a command has to log in; undefined until it is known, and where no login is needed. */
  name: string | undefined;
  /** The server could not say who it is: there may be a login. */
  unknown: boolean;
}

const NONE: Login = { name: undefined, unknown: false };

/** Who is logged in; asked again after a failure, and after a login that has ended and is there again. */
export function useLogin(): Login {
  const [login, set] = useState(NONE);
  useEffect(() => {
    let left = false;
    let ended = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (said: Login) => left || set(said);
    const ask = () => {
      clearTimeout(timer);
      const answer = (asked ??= get<User>(WHOAMI));
      answer
        .then(({ id, domain }) => {
          if (asked === answer) {
            say({ name: domain === 'local' ? id : undefined, unknown: false });
          }
        })
        .catch((failure: unknown) => {
          asked = undefined;
          if (!left && !(failure instanceof ApiError && failure.status === LOGIN_NEEDED)) {
            set({ name: undefined, unknown: true });
            timer = setTimeout(ask, AGAIN_MILLIS);
          }
        });
    };
    const stop = onLogin((expired) => {
      if (expired) {
        asked = undefined;
        say(NONE);
      } else if (ended) {
        ask();
      }
      ended = expired;
    });
    ask();
    return () => {
      left = true;
      clearTimeout(timer);
      stop();
    };
  }, []);
  return login;
}

/** The user whom a command has to log in; undefined until it is known, and where no login is needed. */
export const useSelf = (): string | undefined => useLogin().name;
