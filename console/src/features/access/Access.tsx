import type { ComponentChildren } from 'preact';
import { useLive } from '../../live/live';
import { spelled, type User, WHOAMI } from '../../api/access';
import { to, useRoute } from '../../shell/router';
import { text } from '../../text';
import { Page } from '../../ui/Page';
import { Tabs } from '../../ui/Tabs';
import { Audit } from '../audit/Audit';
import { Keys } from './Keys';
import { Roles } from './Roles';
import { Secrets } from './Secrets';
import { Users } from './Users';

const words = text.access;
const WHOAMI_MILLIS = 30_000;

type TabKey = keyof typeof words.tabs;

const TABS: Record<TabKey, () => ComponentChildren> = {
  users: () => <Users />,
  keys: () => <Keys />,
  secrets: () => <Secrets />,
  roles: () => <Roles />,
  audit: () => <Audit />,
};

/** Who may do what, and who did: users, API keys, the secrets of functions, roles, the audit trail. */
export function Access() {
  const { parts } = useRoute();
  const self = useLive<User>(WHOAMI, WHOAMI_MILLIS);
  const tab = parts[1] ?? 'users';
  const under = self.data === undefined ? undefined : words.self(self.data.id, self.data.roles.map(spelled).join(', '));
  return (
    <Page title={words.title} under={under}>
      <Tabs
        label={words.title}
        current={tab}
        tabs={(Object.keys(TABS) as TabKey[]).map((key) => ({
          key,
          label: words.tabs[key],
          address: to(key === 'users' ? ['access'] : ['access', key]),
        }))}
      />
      {tab in TABS ? TABS[tab as TabKey]() : <p>{text.errors.notFound}</p>}
    </Page>
  );
}
