import { useEffect, useRef } from 'preact/hooks';

export interface Tab {
  key: string;
  label: string;
  address: string;
  note?: string | undefined;
}

/** Parts of a page, each with its own address. */
export function Tabs({ tabs, current, label }: { tabs: Tab[]; current: string; label: string }) {
  const shown = useRef<HTMLElement>(null);
  useEffect(() => {
    shown.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav ref={shown} class="tabs" aria-label={label}>
      {tabs.map(({ key, label, address, note }) => (
        <a key={key} href={address} aria-current={key === current ? 'page' : undefined}>
          {label}
          {note === undefined ? null : <span class="chip">{note}</span>}
        </a>
      ))}
    </nav>
  );
}
