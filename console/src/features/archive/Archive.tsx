import { EXPORT } from '../../api/functions';
import { ROOT } from '../../api/http';
import { to } from '../../shell/router';
import { text } from '../../text';
import { CopyAs } from '../../ui/Command';
import { Page } from '../../ui/Page';
import { Import } from './Import';

const words = text.archive;

const FORMS = [
  { key: 'zip', path: `${EXPORT}?format=zip`, file: 'functions.zip', label: words.zip, says: words.zipSays },
  { key: 'json', path: EXPORT, file: 'functions.json', label: words.json, says: words.jsonSays },
];

/** Functions as files: from Couchbase, from another suite, and for version control. */
export function Archive() {
  return (
    <Page title={words.title} over={<a href={to(['functions'])}>{text.functions.title}</a>}>
      <div class="stack">
        <section class="card pad stack">
          <h2>{words.exportTitle}</h2>
          <p class="soft">{words.exportSays}</p>
          {FORMS.map(({ key, path, file, label, says }) => (
            <div key={key} class="stack tight">
              <div class="row">
                <a class="button" href={new URL(path, ROOT).href} download={file}>
                  {label}
                </a>
                <CopyAs call={{ method: 'GET', path }} />
              </div>
              <p class="soft">{says}</p>
            </div>
          ))}
        </section>
        <Import />
      </div>
    </Page>
  );
}
