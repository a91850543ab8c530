interface Props {
  label: string;
  value: string;
  change: (value: string) => void;
  /** Shown while it is empty; the label if left out. */
  placeholder?: string;
  mono?: boolean;
}

/** Narrows what is shown while one types. */
export function SearchField({ label, value, change, placeholder = label, mono = false }: Props) {
  return (
    <input
      type="search"
      class={mono ? 'mono' : ''}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={(event) => change(event.currentTarget.value)}
    />
  );
}
