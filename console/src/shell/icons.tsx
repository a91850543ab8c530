const PATHS = {
  health: 'M2 8.5h3l2-5 3 9 2-4h2',
  functions: 'M6 2.5C3 2.5 4.5 8 2 8c2.5 0 1 5.5 4 5.5M10 2.5c3 0 1.5 5.5 4 5.5-2.5 0-1 5.5-4 5.5',
  documents: 'M4 1.5h5l3 3v10H4zM9 1.5v3h3M6 8h4M6 11h4',
  queries: 'M2 4.5c0-3 12-3 12 0s-12 3-12 0zM2 4.5v7c0 3 12 3 12 0v-7M2 8c0 3 12 3 12 0',
  streams: 'M2 4h8M2 8h12M2 12h6M12 2.5 13.5 4 12 5.5',
  traces: 'M2 3.5h5M5 8h6M9 12.5h5M3.5 3.5v4.5H5M7.5 8v4.5H9',
  configuration: 'M2 4.5h5M11 4.5h3M9 2.5v4M2 11.5h3M9 11.5h5M7 9.5v4',
  cluster: 'M8 1.5 14 5v6l-6 3.5L2 11V5zM2 5l6 3.5L14 5M8 8.5v6',
  access: 'M5.5 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 7l6 6M11 10l1.5-1.5M13 12l1.5-1.5',
  system: 'M2.5 3h11v7h-11zM5.5 13.5h5M8 10v3.5',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  docs: 'M2.5 2.5h4L8 4l1.5-1.5h4v10H9.5L8 14l-1.5-1.5h-4zM8 4v10',
  api: 'M5 4 1.5 8 5 12M11 4l3.5 4-3.5 4',
  theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
  zone: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.5V8l2.5 1.5',
  logOut: 'M6.5 2.5h-4v11h4M6 8h8M11 5l3 3-3 3',
  find: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width={name === 'more' ? 2.5 : 1.3}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
