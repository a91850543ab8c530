import { text } from '../../text';
import { type Column, DataTable } from '../../ui/DataTable';
import { counted } from '../../ui/format';
import { Status } from '../../ui/Status';
import { Time } from '../../ui/Time';
import type { AuditLine } from './line';

const words = text.audit;

const COLUMNS: Column<AuditLine>[] = [
  {
    key: 'event',
    label: words.columns.event,
    by: ({ name }) => name,
    show: ({ name }) => <span class="mono">{name}</span>,
  },
  {
    key: 'time',
    label: words.columns.time,
    by: ({ timestamp }) => timestamp,
    show: ({ timestamp }) => <span class="nowrap"><Time at={timestamp} /></span>,
  },
  {
    key: 'user',
    label: words.columns.user,
    by: ({ real_userid: { user } }) => user,
    show: ({ real_userid: { user, domain }, method }) => <span title={`${domain}, ${method}`}>{user}</span>,
  },
  {
    key: 'outcome',
    label: words.columns.outcome,
    by: ({ outcome }) => outcome,
    show: ({ outcome, reason, left_out: more = 0 }) => (
      <span title={reason}>
        <Status
          tone={outcome === 'refused' ? 'failed' : 'ok'}
          shape={outcome === 'refused' ? 'triangle' : 'disc'}
          word={words.outcomes[outcome] ?? outcome}
        />
        {more > 0 ? <span class="soft"> {words.leftOut(counted(more, 'line'))}</span> : null}
      </span>
    ),
  },
  {
    key: 'resource',
    label: words.columns.resource,
    by: ({ resource }) => resource,
    show: ({ resource }) => <span class="mono break">{resource}</span>,
  },
  {
    key: 'from',
    label: words.columns.from,
    by: ({ remote }) => remote,
    show: ({ remote }) => <span class="mono">{remote}</span>,
  },
  {
    key: 'service',
    label: words.columns.service,
    by: ({ service }) => service,
    show: ({ service }) => <span class="nowrap">{service}</span>,
  },
];

/** Lines of audit trails; hovering says how the user was known and why something was refused. */
export function AuditTable({ lines }: { lines: AuditLine[] }) {
  return <DataTable caption={text.access.tabs.audit} columns={COLUMNS} rows={lines} id={({ hash }) => hash} sort="order" />;
}
