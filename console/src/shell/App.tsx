import type { ComponentChildren } from 'preact';
import { Component } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { onLogin } from '../api/http';
import { Access } from '../features/access/Access';
import { Cluster } from '../features/cluster/Cluster';
import { Configuration } from '../features/configuration/Configuration';
import { Documents } from '../features/documents/Documents';
import { Functions } from '../features/functions/Functions';
import { Home } from '../features/health/Home';
import { TroubleBanner } from '../features/health/TroubleBanner';
import { Queries } from '../features/queries/Queries';
import { Streams } from '../features/streams/Streams';
import { System } from '../features/system/System';
import { Traces } from '../features/traces/Traces';
import { text } from '../text';
import { Page } from '../ui/Page';
import { Problem } from '../ui/Problem';
import { Leaving } from './Leaving';
import { Palette } from './Palette';
import { Rail } from './Rail';
import { type Route, useRoute } from './router';
import { Toasts } from './toasts';

const SCREENS: Record<string, (route: Route) => ComponentChildren> = {
  health: () => <Home />,
  functions: ({ parts }) => <Functions parts={parts.slice(1)} />,
  documents: ({ parts }) => <Documents parts={parts.slice(1)} />,
  queries: () => <Queries />,
  streams: ({ parts }) => <Streams name={parts[1]} />,
  traces: ({ parts }) => <Traces id={parts[1]} />,
  configuration: () => <Configuration />,
  cluster: () => <Cluster />,
  access: () => <Access />,
  system: () => <System />,
};

/** Keeps a defect in one screen from taking the others away. */
class Boundary extends Component<{ children: ComponentChildren }, { failure: unknown }> {
  override state = { failure: undefined };

  override componentDidCatch(failure: unknown): void {
    this.setState({ failure });
  }

  override render() {
    return this.state.failure === undefined ? this.props.children : <Problem error={this.state.failure} />;
  }
}

function Expired() {
  const [expired, set] = useState(false);
  useEffect(() => onLogin(set), []);
  return expired ? (
    <div class="banner failed" role="alert">
      {text.errors.expired}
      <a class="button" href={`/login.html?next=${encodeURIComponent(location.pathname + location.search)}`}>
        {text.errors.signIn}
      </a>
    </div>
  ) : null;
}

export function App() {
  const route = useRoute();
  const [finding, find] = useState(false);
  const main = useRef<HTMLElement>(null);
  const place = route.parts[0] ?? 'health';
  const screen = SCREENS[place];
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        find((open) => !open);
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const skip = (event: Event) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        {text.skip}
      </a>
      <div class="app">
        <Rail current={place} find={() => find(true)} />
        <div>
          <Expired />
          {place === 'health' ? null : <TroubleBanner />}
          <main id="main" class="content" tabIndex={-1} ref={main}>
            <Boundary key={route.parts.join('/')}>
              {screen === undefined ? <Page title={text.errors.notFound}>{null}</Page> : screen(route)}
            </Boundary>
          </main>
        </div>
      </div>
      {finding ? <Palette close={() => find(false)} /> : null}
      <Leaving />
      <Toasts />
    </>
  );
}
