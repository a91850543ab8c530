// Checks the types of functions: each argument is a directory with a jsconfig.json or a tsconfig.json.
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import ts from 'typescript';

const library = new Map();
let mistakes = 0;

for (const directory of process.argv.slice(2)) {
  const file = ['tsconfig.json', 'jsconfig.json'].map((name) => join(directory, name)).find((path) => existsSync(path));
  const {fileNames, options, errors} = ts.getParsedCommandLineOfConfigFile(file, {noEmit: true}, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (mistake) => errors.push(mistake),
  });
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (name, ...rest) => {
    if (!name.includes('/typescript/lib/')) {
      return read(name, ...rest);
    }
    if (!library.has(name)) {
      library.set(name, read(name, ...rest));
    }
    return library.get(name);
  };
  const found = [...errors, ...ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options, host))];
  process.stdout.write(ts.formatDiagnostics(found, host));
  mistakes += found.length;
}
process.stdout.write(`${mistakes} mistakes\n`);
