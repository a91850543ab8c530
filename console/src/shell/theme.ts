const KEY = 'millrace.theme';

/** Holds while the system prefers dark colours. */
export const SYSTEM_IS_DARK = '(prefers-color-scheme: dark)';

export type Theme = 'light' | 'dark';

/** Runs before the page is painted: the chosen theme, else that of the system. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme();
}

export function theme(): Theme {
  const chosen = stored();
  return chosen ?? (matchMedia(SYSTEM_IS_DARK).matches ? 'dark' : 'light');
}

export function choose(wanted: Theme): void {
  try {
    localStorage.setItem(KEY, wanted);
  } catch {
    // without storage the choice lasts for this page
  }
  document.documentElement.dataset['theme'] = wanted;
}

export function followSystem(): void {
  matchMedia(SYSTEM_IS_DARK).addEventListener('change', applyTheme);
}

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    return null;
  }
}
