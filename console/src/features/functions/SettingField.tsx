import type { SettingValue } from '../../api/functions';
import { text } from '../../text';
import { RequestsField } from './RequestsField';
import { constantLines, formOf, readConstants, type SettingRow, wrong } from './settingForms';

interface Props {
  row: SettingRow;
  value: SettingValue;
  locked: boolean;
  change: (value: SettingValue) => void;
}

/** One setting: its value, its default, its limits and what it does. */
export function SettingField({ row, value, locked, change }: Props) {
  const id = `setting-${row.name}`;
  const problem = wrong(row, value);
  const hint = `${row.meaning}. ${text.settings.byDefault(row.fallback)}; ${row.values}.`;
  const notes = (
    <>
      {problem === '' ? null : <span class="wrong">{problem}</span>}
      <span class="hint" id={`${id}-hint`}>
        {hint} {locked ? text.settings.locked(row.change) + '.' : ''}
      </span>
    </>
  );
  const form = formOf(row);
  const usual = { id, disabled: locked, 'aria-describedby': `${id}-hint`, 'aria-invalid': problem !== '' };
  if (form.kind === 'flag') {
    return (
      <div class="field check">
        <input {...usual} type="checkbox" checked={value === true} onChange={(event) => change(event.currentTarget.checked)} />
        <label for={id} class="mono">
          {row.name}
        </label>
        {notes}
      </div>
    );
  }
  if (form.kind === 'requests') {
    return (
      <div class="field wide">
        <span class="label mono">{row.name}</span>
        <RequestsField label={row.name} value={value} locked={locked} change={change} />
        {notes}
      </div>
    );
  }
  return (
    <div class="field">
      <label for={id} class="mono">
        {row.name}
      </label>
      {form.kind === 'choice' ? (
        <select {...usual} value={String(value)} onChange={(event) => change(event.currentTarget.value)}>
          {form.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : form.kind === 'number' ? (
        <input
          {...usual}
          type="number"
          min={form.min}
          max={form.max}
          value={String(value)}
          onInput={(event) => change(event.currentTarget.valueAsNumber)}
        />
      ) : form.kind === 'lines' ? (
        <textarea
          {...usual}
          rows={Math.max(2, Array.isArray(value) ? value.length : 1)}
          value={Array.isArray(value) ? value.join('\n') : String(value)}
          onInput={(event) => change(event.currentTarget.value.split('\n').filter((line) => line !== ''))}
        />
      ) : form.kind === 'constants' ? (
        <textarea
          {...usual}
          rows={Math.max(2, Object.keys(value).length)}
          placeholder="RATE = 0.19"
          value={constantLines(value)}
          onChange={(event) => change(readConstants(event.currentTarget.value))}
        />
      ) : (
        <input {...usual} value={String(value)} onInput={(event) => change(event.currentTarget.value)} />
      )}
      {notes}
    </div>
  );
}
