import { type AllStates, STATES, STATISTICS, type Stats } from '../../api/functions';
import { useLive } from '../../live/live';
import { to } from '../../shell/router';
import { text } from '../../text';
import { Empty, Loading } from '../../ui/Empty';
import { Page } from '../../ui/Page';
import { Problem } from '../../ui/Problem';
import { Archive } from '../archive/Archive';
import { Libraries } from '../libraries/Libraries';
import { FunctionPage } from './FunctionPage';
import { FunctionTable } from './FunctionTable';
import { NewFunction } from './NewFunction';
import { observe } from './rates';

/** No function can have this name. */
const NONE = '-';

/** One for all, so that rows without counters stay the same. */
const UNCOUNTED: Stats[] = [];

/** The pages that belong to no function. */
const PAGES: Record<string, () => preact.JSX.Element> = {
  archive: () => <Archive />,
  libraries: () => <Libraries />,
};

export function Functions({ parts }: { parts: string[] }) {
  const [name, tab = 'overview'] = parts;
  if (name === undefined) {
    return <FunctionList />;
  }
  if (name === NONE) {
    return (PAGES[tab] ?? (() => <NewFunction />))();
  }
  return <FunctionPage name={name} tab={tab} />;
}

function FunctionList() {
  const states = useLive<AllStates>(STATES);
  const stats = useLive<Stats[]>(STATISTICS);
  if (stats.data !== undefined && stats.error === undefined) {
    observe(stats.data, stats.at);
  }
  const create = (
    <a class="button primary" href={to(['functions', NONE, 'new'])}>
      {text.functions.create}
    </a>
  );
  const others = (
    <>
      <a class="button" href={to(['functions', NONE, 'libraries'])}>
        {text.libraries.title}
      </a>
      <a class="button" href={to(['functions', NONE, 'archive'])}>
        {text.archive.open}
      </a>
    </>
  );
  const apps = states.data?.apps;
  return (
    <Page title={text.functions.title} actions={
        <>
          {others}
          {apps?.length === 0 ? null : create}
        </>
      }>
      {states.error === undefined ? null : <Problem error={states.error} retry={states.refresh} />}
      {apps === undefined && states.error === undefined ? <Loading label={text.loading} /> : null}
      {apps?.length === 0 ? (
        <div class="card">
          <Empty says={text.functions.empty} call={{ method: 'GET', path: STATES }}>
            {create}
          </Empty>
        </div>
      ) : null}
      {apps === undefined || apps.length === 0 ? null : <FunctionTable states={apps} stats={stats.data ?? UNCOUNTED} />}
    </Page>
  );
}
