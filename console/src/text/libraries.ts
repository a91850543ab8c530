/** The texts of libraries of modules. */
export const libraries = {
  title: 'Libraries',
  says: "Modules that functions share: code imports them with import {cents} from 'money@1.0.0'. A version never changes; a change is another version.",
  create: 'New version',
  none: 'There are no libraries. Save a module once, and import it in as many functions as you like.',
  nothing: 'none',
  columns: { library: 'Library', usedBy: 'Used by', imports: 'Imports', saved: 'Saved' },
  name: 'Name',
  version: 'Version',
  code: 'Code of the module',
  codeOf: (id: string) => `Code of ${id}`,
  forever: 'A version never changes once it is saved, so functions that import it do not change by themselves.',
  saved: (id: string) => `${id} is saved.`,
  remove: 'Delete the version',
  removeBody: 'Nothing imports it. Functions cannot import it from now on.',
  removeNamed: (id: string) => `Delete ${id}`,
  inUse: 'It is in use and cannot be deleted.',
} as const;
