// What Swagger UI leaves out of its page, which it draws again at each step: names, levels, places in the order of the tabulator.
const page = document.getElementById('swagger-ui');
const missing = [
  ['.dark-mode-toggle button', 'aria-label', () => 'Dark or light theme'],
  ['.copy-to-clipboard button', 'aria-label', () => 'Copy'],
  ['#servers', 'aria-label', () => 'Server'],
  ['.parameters select', 'aria-label', (field) => field.closest('tr')?.dataset.paramName ?? 'Value'],
  ['textarea', 'aria-label', () => 'Request body'],
  ['table[role=region]', 'aria-label', (table) => `Responses: ${table.id}`],
  ['h3.opblock-tag', 'aria-level', () => '2'],
  ['h4.opblock-title', 'aria-level', () => '3'],
  ['.models h4', 'aria-level', () => '2'],
  ['pre.microlight', 'tabindex', () => '0'],
];
new MutationObserver(() => {
  for (const [selector, name, value] of missing) {
    page.querySelectorAll(`${selector}:not([${name}])`).forEach((element) => element.setAttribute(name, value(element)));
  }
  // a link in a button; an operation that is opened is in the address all the same
  page.querySelectorAll('.opblock-summary-control a[href]').forEach((link) => link.removeAttribute('href'));
}).observe(page, {childList: true, subtree: true});

// Swagger UI looks at the theme of the system once; the page follows it, and says which one it shows.
const root = document.documentElement;
const isDark = () => root.classList.contains('dark-mode');
const say = () => {
  root.dataset.theme = isDark() ? 'dark' : 'light';
};
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({matches}) => {
  if (matches !== isDark()) {
    page.querySelector('.dark-mode-toggle button')?.click();
  }
});
new MutationObserver(say).observe(root, {attributeFilter: ['class']});
say();
