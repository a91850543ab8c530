import { useState } from 'preact/hooks';
import type { Results } from '../../api/functions';
import { send } from '../../api/http';
import { text } from '../../text';
import { useAttempt } from '../../ui/attempt';
import { CopyAs } from '../../ui/Command';
import { counted } from '../../ui/format';
import { Problem } from '../../ui/Problem';
import { ExpectedTable, ResultTable } from './Report';
import { createAll, lacking, read, spelled, type Upload } from './upload';

const words = text.archive;

/** Says what a file would change before it is imported, and what the server said afterwards. */
export function Import() {
  const [file, choose] = useState<File>();
  const [upload, set] = useState<Upload>();
  const [creating, create] = useState(true);
  const [results, report] = useState<Results>();
  const { busy, refused, refuse, attempt } = useAttempt();
  const chosen = (picked: File | undefined) => {
    choose(picked);
    set(undefined);
    report(undefined);
    refuse(undefined);
    if (picked !== undefined) {
      read(picked).then(set, refuse);
    }
  };
  const missing = lacking(upload?.functions ?? []);
  const act = (event: Event) => {
    event.preventDefault();
    if (upload === undefined) {
      return;
    }
    void attempt(async () => {
      if (creating) {
        await createAll(missing);
      }
      report((await send<Results>(upload.call)).body);
      set(undefined);
    });
  };
  const well = results?.filter(({ code }) => code === 0).length ?? 0;
  return (
    <form class="card pad stack" onSubmit={act}>
      <h2>{words.importTitle}</h2>
      <p class="soft">{words.importSays}</p>
      <div class="field">
        <label for="import-file">{words.file}</label>
        <input
          id="import-file"
          type="file"
          accept=".json,.zip,application/json,application/zip"
          onChange={(event) => chosen(event.currentTarget.files?.[0])}
        />
      </div>
      {refused === undefined ? null : <Problem error={refused} />}
      {upload === undefined ? null : upload.functions === undefined ? (
        <p>{words.archive(file?.name ?? '')}</p>
      ) : (
        <ExpectedTable functions={upload.functions} />
      )}
      {missing.length === 0 || upload === undefined ? null : (
        <label class="row">
          <input type="checkbox" checked={creating} onChange={(event) => create(event.currentTarget.checked)} />
          <span class="break">{words.create(missing.map(spelled).join(', '))}</span>
        </label>
      )}
      {upload === undefined ? null : (
        <div class="row">
          <button type="submit" class="button primary" aria-disabled={busy}>
            {words.act}
          </button>
          <CopyAs call={upload.call} />
        </div>
      )}
      {results === undefined ? null : (
        <section class="stack" role="status" aria-label={words.report}>
          <h3>{words.done(counted(well, 'function'), String(results.length - well))}</h3>
          <ResultTable results={results} />
        </section>
      )}
    </form>
  );
}
