import { type VersionPage, versionsPath } from '../../api/functions';
import { useLive } from '../../live/live';
import { text } from '../../text';
import { TextField } from '../../ui/TextField';
import { SHARES, type Wanted } from './request';

const words = text.canary;
const VERSIONS_MILLIS = 10_000;
const VBUCKETS = 1024;

interface Props {
  name: string;
  /** The version that is deployed. */
  current: number | undefined;
  wanted: Wanted;
  want: (wanted: Wanted) => void;
  /** Whether the code in the editor is not the saved code. */
  drafted: boolean;
}

/** The version, the share and the rule of a canary. */
export function CanaryFields({ name, current, wanted, want, drafted }: Props) {
  const versions = useLive<VersionPage>(versionsPath(name), VERSIONS_MILLIS);
  const others = (versions.data?.versions ?? []).filter(({ version }) => version !== current);
  const number = (id: string, label: string, member: 'errorPercent' | 'slowdown' | 'events' | 'promoteSeconds', hint?: string) => (
    <TextField
      id={`canary-${id}`}
      type="number"
      label={label}
      value={wanted[member]}
      change={(value) => want({ ...wanted, [member]: value })}
      {...(hint === undefined ? { required: true } : { hint })}
    />
  );
  return (
    <>
      <div class="field">
        <label for="canary-version">{words.with}</label>
        <select
          id="canary-version"
          disabled={drafted}
          value={drafted ? '' : wanted.version}
          onChange={(event) => want({ ...wanted, version: event.currentTarget.value })}
        >
          <option value="">{drafted ? words.draft : words.choose}</option>
          {others.map(({ version, note }) => (
            <option key={version} value={String(version)}>
              {words.version(version) + (note === '' ? '' : `: ${note}`)}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="canary-share">{words.share}</label>
        <select
          id="canary-share"
          value={String(wanted.share)}
          onChange={(event) => want({ ...wanted, share: Number(event.currentTarget.value) })}
        >
          {SHARES.map((part) => (
            <option key={part} value={String(part)}>
              {words.part(`1/${part}`, VBUCKETS / part)}
            </option>
          ))}
        </select>
      </div>
      {number('errors', words.maxErrors, 'errorPercent')}
      {number('events', words.minEvents, 'events')}
      {number('slowdown', words.maxSlowdown, 'slowdown', words.maxSlowdownHint)}
      {number('promote', words.promoteAfter, 'promoteSeconds', words.promoteAfterHint)}
    </>
  );
}
