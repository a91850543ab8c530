interface Props {
  id: string;
  label: string;
  value: string;
  change: (value: string) => void;
  type?: 'text' | 'password' | 'number' | 'url';
  hint?: string;
  required?: boolean;
}

/** One line to type, with its label and a hint. */
export function TextField({ id, label, value, change, type = 'text', hint, required = false }: Props) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type}
        step={type === 'number' ? 'any' : undefined}
        required={required}
        autocomplete={type === 'password' ? 'new-password' : 'off'}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onInput={(event) => change(event.currentTarget.value)}
      />
      {hint === undefined ? null : (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
