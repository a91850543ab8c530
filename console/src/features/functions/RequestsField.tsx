import { useState } from 'preact/hooks';
import type { SettingValue } from '../../api/functions';
import { text } from '../../text';
import { Code } from '../../ui/Code';
import { requestsIn } from './settingForms';

const words = text.settings.requests;

/** A beginning: one request with a parameter in its path, one with a body. */
const EXAMPLE = {
  paths: {
    '/{id}': {
      get: { parameters: [{ in: 'query', name: 'full', schema: { enum: ['yes', 'no'] } }] },
      put: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } },
        },
      },
    },
  },
};

interface Props {
  label: string;
  value: SettingValue;
  locked: boolean;
  /** Gets an object, or the text while it is not one. */
  change: (value: SettingValue) => void;
}

/** The setting `openapi`: JSON, and which requests it describes. */
export function RequestsField({ label, value, locked, change }: Props) {
  const [typed, type] = useState<string>();
  const shown = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const same = typed !== undefined && JSON.stringify(read(typed)) === JSON.stringify(value);
  const requests = typeof value === 'string' ? [] : requestsIn(value);
  const edit = (doc: string) => {
    type(doc);
    change(read(doc));
  };
  return (
    <>
      <div class="row between">
        <span role="status" aria-label={words.label}>
          {requests.length === 0 ? words.all : words.taken(requests.join(', '))}
        </span>
        {shown === '{}' && !locked ? (
          <button type="button" class="button" onClick={() => edit(JSON.stringify(EXAMPLE, null, 2))}>
            {words.example}
          </button>
        ) : null}
      </div>
      <Code doc={same ? typed : shown} label={label} language="json" readOnly={locked} changed={edit} lines={shown === '{}' ? 3 : 12} />
    </>
  );
}

function read(typed: string): SettingValue {
  try {
    const json: unknown = JSON.parse(typed);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as SettingValue) : typed;
  } catch {
    return typed;
  }
}
