import { useState } from 'preact/hooks';
import { SETTINGS } from '../../../generated/settings';
import { calls, type Settings, type SettingValue } from '../../api/functions';
import { send } from '../../api/http';
import { useUnsaved } from '../../shell/edits';
import { useParameter } from '../../shell/router';
import { toast } from '../../shell/toasts';
import { text } from '../../text';
import { CopyAs } from '../../ui/Command';
import { Problem } from '../../ui/Problem';
import { SearchField } from '../../ui/SearchField';
import type { Shown } from './FunctionPage';
import { SettingField } from './SettingField';
import { mayChange, wrong } from './settingForms';

/** All settings as a form with the server's own defaults and limits; only what was changed is sent. */
export function SettingsTab({ name, definition, state, reload }: Shown) {
  const [search, find] = useParameter('find');
  const [changes, change] = useState<Settings>({});
  const [refused, refuse] = useState<unknown>();
  const stored = (definition.settings ?? {}) as Settings;
  const set = (setting: string, value: SettingValue) => {
    const next = { ...changes, [setting]: value };
    if (JSON.stringify(value) === JSON.stringify(stored[setting])) {
      delete next[setting];
    }
    change(next);
  };
  const rows = SETTINGS.filter(
    (row) => row.name in stored && `${row.name} ${row.meaning}`.toLowerCase().includes(search.toLowerCase()),
  );
  const valid = SETTINGS.every((row) => !(row.name in changes) || wrong(row, changes[row.name] ?? '') === '');
  const count = Object.keys(changes).length;
  useUnsaved(count > 0);
  const save = (event: Event) => {
    event.preventDefault();
    refuse(undefined);
    void send(calls.settings(name, changes)).then(
      () => {
        change({});
        toast(text.settings.saved);
        reload();
      },
      (error: unknown) => refuse(error),
    );
  };
  return (
    <form class="stack" onSubmit={save}>
      <div class="row">
        <button type="submit" class="button primary" disabled={count === 0 || !valid}>
          {text.actions.save}
        </button>
        <CopyAs call={calls.settings(name, changes)} />
        <SearchField label={text.settings.search} value={search} change={find} />
        <span class="soft" role="status">
          {count === 0 ? '' : text.settings.changed(count)}
        </span>
      </div>
      {refused === undefined ? null : <Problem error={refused} />}
      {rows.length === 0 ? <p class="soft">{text.settings.none}</p> : null}
      <div class="card pad fields">
        {rows.map((row) => (
          <SettingField
            key={row.name}
            row={row}
            value={changes[row.name] ?? stored[row.name] ?? ''}
            locked={!mayChange(row, state.app.composite_status)}
            change={(value) => set(row.name, value)}
          />
        ))}
      </div>
    </form>
  );
}
