import { type OneState, type VersionPage, versionsPath } from '../../api/functions';
import { useLive } from '../../live/live';
import { to } from '../../shell/router';
import { text } from '../../text';
import { Chart, type ChartMark } from '../../ui/Chart';
import { compact, micros, rate } from '../../ui/format';
import { Time } from '../../ui/Time';
import { trend } from './rates';

const words = text.functions.chart;
const VERSIONS_MILLIS = 5000;
const SHOWN_MILLIS = 120_000;

/** How the function does since the page was opened, with its deployments and versions as marks. */
export function Charts({ name, state }: { name: string; state: OneState }) {
  const versions = useLive<VersionPage>(versionsPath(name), VERSIONS_MILLIS);
  const { at, handled, failed, backlog, median, p99 } = trend(name);
  const marks = marksOf(state, versions.data).filter((mark) => mark.at > Date.now() - SHOWN_MILLIS);
  return (
    <div class="stack tight">
      <div class="charts">
        <Chart label={words.handled} at={at} courses={[{ values: handled, tone: 'busy' }]} marks={marks} show={rate} />
        <Chart label={words.failed} at={at} courses={[{ values: failed, tone: 'failed' }]} marks={marks} show={rate} />
        <Chart
          label={words.latency}
          at={at}
          courses={[
            { name: words.p99, values: p99, tone: 'warn' },
            { name: words.median, values: median, tone: 'ok' },
          ]}
          marks={marks}
          show={micros}
        />
        <Chart label={words.backlog} at={at} courses={[{ values: backlog, tone: 'idle' }]} marks={marks} show={compact} />
      </div>
      {marks.length === 0 ? null : (
        <ul class="row soft chart-marks">
          {marks.map((mark) => (
            <li key={mark.label}>
              <a href={to(['functions', name, 'versions'])}>{mark.label}</a> <Time at={mark.at} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** When the function was deployed, and when other versions took over. */
function marksOf({ app }: OneState, versions: VersionPage | undefined): ChartMark[] {
  const deployed =
    app.composite_status === 'deployed' && app.since !== undefined
      ? [{ at: Date.parse(app.since), label: text.status['deployed'] ?? '' }]
      : [];
  const saved = (versions?.versions ?? []).map(({ version, time }) => ({ at: Date.parse(time), label: words.version(version) }));
  return [...deployed, ...saved];
}
