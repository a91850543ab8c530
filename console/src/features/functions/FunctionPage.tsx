import { useEffect, useState } from 'preact/hooks';
import {
  type DeadLetters,
  type Definition,
  definition,
  failureText,
  fullStatsPath,
  functionPath,
  lettersPath,
  type OneState,
  statePath,
  type Stats,
} from '../../api/functions';
import { SLOW_MILLIS, useLive } from '../../live/live';
import { to } from '../../shell/router';
import { text } from '../../text';
import { Loading } from '../../ui/Empty';
import { compact } from '../../ui/format';
import { Page } from '../../ui/Page';
import { Problem } from '../../ui/Problem';
import { FunctionStatus } from '../../ui/Status';
import { Tabs } from '../../ui/Tabs';
import { CanaryTab } from '../canary/CanaryTab';
import { DebuggerTab } from '../debugger/DebuggerTab';
import { DryRunTab } from '../dryrun/DryRunTab';
import { LettersTab } from '../letters/LettersTab';
import { TracesTab } from '../traces/TracesTab';
import { VersionsTab } from '../versions/VersionsTab';
import { TimersTab } from '../timers/TimersTab';
import { CodeTab } from './CodeTab';
import { Lifecycle } from './Lifecycle';
import { LogTab } from './LogTab';
import { Overview } from './Overview';
import { observe } from './rates';
import { SettingsTab } from './SettingsTab';

/** What the tabs of a function are given. */
export interface Shown {
  name: string;
  definition: Definition;
  state: OneState;
  stats: Stats | undefined;
  /** Reads the definition again, after it was changed. */
  reload: () => void;
}

type TabKey = keyof typeof text.functions.tabs;

const TABS: Record<TabKey, (shown: Shown) => preact.JSX.Element> = {
  overview: (shown) => <Overview {...shown} />,
  code: (shown) => <CodeTab {...shown} />,
  'dry-run': (shown) => <DryRunTab {...shown} />,
  versions: (shown) => <VersionsTab {...shown} />,
  settings: (shown) => <SettingsTab {...shown} />,
  log: (shown) => <LogTab {...shown} />,
  letters: (shown) => <LettersTab {...shown} />,
  timers: (shown) => <TimersTab {...shown} />,
  traces: (shown) => <TracesTab {...shown} />,
  canary: (shown) => <CanaryTab {...shown} />,
  debugger: (shown) => <DebuggerTab {...shown} />,
};

export function FunctionPage({ name, tab }: { name: string; tab: string }) {
  const state = useLive<OneState>(statePath(name));
  const stats = useLive<Stats>(fullStatsPath(name));
  const kept = useLive<DeadLetters>(lettersPath(name, 1), SLOW_MILLIS); // the counters also have those that were replayed or dropped
  const [read, set] = useState<{ found?: Definition; error?: unknown }>({});
  const reload = () => {
    state.refresh();
    definition(name).then(
      (found) => set({ found }),
      (error: unknown) => set({ error }),
    );
  };
  useEffect(reload, [name]);
  if (stats.data !== undefined && stats.error === undefined) {
    observe([stats.data], stats.at);
  }
  const over = (
    <a href={to(['functions'])}>{text.functions.title}</a>
  );
  const error = read.error ?? (state.data === undefined ? state.error : undefined);
  if (error !== undefined) {
    return (
      <Page title={name} over={over}>
        <Problem error={error} retry={reload} />
      </Page>
    );
  }
  if (read.found === undefined || state.data === undefined) {
    return (
      <Page title={name} over={over}>
        <Loading label={text.loading} />
      </Page>
    );
  }
  const shown: Shown = { name, definition: read.found, state: state.data, stats: stats.data, reload };
  const { app, num_eventing_nodes: nodes } = state.data;
  const ready = app.num_deployed_nodes ?? 0;
  const some = app.composite_status === 'deployed' && ready < nodes;
  const letters = kept.data?.total ?? 0;
  return (
    <Page title={name} over={over} actions={<Lifecycle {...shown} />}>
      <div class="row state-line">
        <FunctionStatus state={app.composite_status} failed={app.failure !== undefined} />
        {some || (app.num_bootstrapping_nodes ?? 0) > 0 ? (
          <span class="soft">{text.functions.nodes(ready, nodes)}</span>
        ) : null}
        {app.canary_version === undefined ? null : (
          <a class="chip" href={to(['functions', name, 'canary'])}>
            {text.canary.chip(app.canary_version)}
          </a>
        )}
        <a class="soft" href={new URL(`../${functionPath(name)}`, new URL(to([]), location.href)).href} target="_blank">
          {text.actions.json}
        </a>
      </div>
      {app.failure === undefined ? null : (
        <Problem title={text.functions.failedWith} error={failureText(app.failure)} />
      )}
      <Tabs
        label={name}
        current={tab}
        tabs={(Object.keys(TABS) as TabKey[]).map((key) => ({
          key,
          label: text.functions.tabs[key],
          address: to(key === 'overview' ? ['functions', name] : ['functions', name, key]),
          note: key === 'letters' && letters > 0 ? compact(letters) : undefined,
        }))}
      />
      {tab in TABS ? TABS[tab as TabKey](shown) : <p>{text.errors.notFound}</p>}
    </Page>
  );
}
