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
    const nav = shown.current;
    const tab = nav?.querySelector<HTMLElement>('[aria-current]');
    if (!nav || !tab) {
      return undefined;
    }
    const observer = new ResizeObserver(() => {
      nav.scrollLeft = tab.offsetLeft - nav.offsetLeft - (nav.clientWidth - tab.offsetWidth) / 2;
    });
    observer.observe(nav); // also when the page becomes narrower
    return () => observer.disconnect();
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
