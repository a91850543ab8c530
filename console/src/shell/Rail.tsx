import { useEffect, useState } from 'preact/hooks';
import { calls } from '../api/access';
import { ROOT, send } from '../api/http';
import { useLogin } from '../live/self';
import { text } from '../text';
import { Dialog } from '../ui/Dialog';
import { useMatch } from '../ui/media';
import { chooseZone, otherZone, useZone } from '../ui/zone';
import { type IconName, Icon } from './icons';
import { to, unlessLost } from './router';
import { choose, SYSTEM_IS_DARK, theme } from './theme';
import { toast } from './toasts';

interface Place {
  key: 'health' | 'functions' | 'documents' | 'queries' | 'streams' | 'traces' | 'configuration' | 'cluster' | 'access' | 'system';
  address: string;
}

export const PLACES: Place[] = (
  ['health', 'functions', 'documents', 'queries', 'streams', 'traces', 'configuration', 'cluster', 'access', 'system'] as const
).map((key) => ({ key, address: to(key === 'health' ? [] : [key]) }));

/** The places that the bar of a narrow screen has room for. */
const NARROW = new Set(['health', 'functions', 'documents', 'queries']);
const OTHERS = PLACES.filter(({ key }) => !NARROW.has(key));

function Link({ place, current, style = '' }: { place: Place; current: string; style?: string }) {
  return (
    <li class={style}>
      <a class="place" href={place.address} aria-current={place.key === current ? 'page' : undefined}>
        <Icon name={place.key} />
        {text.places[place.key]}
      </a>
    </li>
  );
}

/** Nothing where no login is needed; a session can be ended also while nothing says whose it is. */
function LogOut() {
  const { name, unknown } = useLogin();
  if (name === undefined && !unknown) {
    return null;
  }
  const login = new URL('login.html', ROOT).href;
  const logOut = () =>
    void send(calls.logOut()).then(
      () => location.assign(login),
      (error: Error) => toast(error.message, true),
    );
  return (
    <button type="button" class="place" onClick={() => unlessLost(login, logOut)}>
      <Icon name="logOut" />
      <span class="two-lines">
        {text.logOut} {name === undefined ? null : <small title={name}>{name}</small>}
      </span>
    </button>
  );
}

function Foot() {
  const [shown, set] = useState(theme());
  const systemIsDark = useMatch(SYSTEM_IS_DARK);
  useEffect(() => set(theme()), [systemIsDark]);
  useZone();
  const other = shown === 'dark' ? 'light' : 'dark';
  const links: [IconName, string, string][] = [
    ['docs', text.places.docs, '../docs/index.html'],
    ['api', text.places.api, '../swagger-ui.html'],
  ];
  const turn = () => {
    choose(other);
    set(other);
  };
  return (
    <>
      {links.map(([icon, label, address]) => (
        <a key={icon} class="place" href={new URL(address, new URL(to([]), location.href)).href}>
          <Icon name={icon} />
          {label}
        </a>
      ))}
      <button type="button" class="place" onClick={turn}>
        <Icon name="theme" />
        {text.theme[other]}
      </button>
      <button type="button" class="place" onClick={() => chooseZone(otherZone())}>
        <Icon name="zone" />
        {text.zone[otherZone()]}
      </button>
      <LogOut />
    </>
  );
}

/** The rail on the left; on a narrow screen the bar at the bottom. */
export function Rail({ current, find }: { current: string; find: () => void }) {
  const [more, setMore] = useState(false);
  const wide = (place: Place) => (NARROW.has(place.key) ? '' : 'only-wide');
  return (
    <header class="rail">
      <a class="brand" href={to([])}>
        <img src={new URL('../icon.svg', new URL(to([]), location.href)).href} alt="" width="28" height="28" />
        {text.product}
      </a>
      <nav aria-label={text.places.nav}>
        <ul>
          {PLACES.map((place) => (
            <Link key={place.key} place={place} current={current} style={wide(place)} />
          ))}
          <li class="only-narrow">
            <button
              type="button"
              class="place"
              aria-haspopup="dialog"
              aria-current={OTHERS.some(({ key }) => key === current) ? 'true' : undefined}
              onClick={() => setMore(true)}
            >
              <Icon name="more" />
              {text.places.more}
            </button>
          </li>
        </ul>
      </nav>
      <div class="foot">
        <button type="button" class="place" onClick={find} aria-keyshortcuts="Control+K">
          <Icon name="find" />
          {text.palette.open} <kbd>Ctrl K</kbd>
        </button>
        <Foot />
      </div>
      {more ? (
        <Dialog title={text.places.more} close={() => setMore(false)}>
          <ul class="more-places" onClick={(event) => (event.target as Element).closest('a') && setMore(false)}>
            {OTHERS.map((place) => (
              <Link key={place.key} place={place} current={current} />
            ))}
          </ul>
          <div class="more-places">
            <Foot />
          </div>
          <div class="actions">
            <button type="button" class="button" onClick={() => setMore(false)}>
              {text.actions.close}
            </button>
          </div>
        </Dialog>
      ) : null}
    </header>
  );
}
