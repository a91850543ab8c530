import { type Template, TEMPLATES } from '../../api/functions';
import { useLive } from '../../live/live';
import { to, useParameter } from '../../shell/router';
import { text } from '../../text';
import { Loading } from '../../ui/Empty';
import { Page } from '../../ui/Page';
import { Problem } from '../../ui/Problem';
import { Wizard } from './Wizard';

const TEMPLATES_MILLIS = 60_000;

/** A function from a template of the server: choose, name, deploy. */
export function NewFunction() {
  const templates = useLive<Template[]>(TEMPLATES, TEMPLATES_MILLIS);
  const [name, choose] = useParameter('template');
  const template = templates.data?.find((one) => one.name === name);
  return (
    <Page title={text.create.title} over={<a href={to(['functions'])}>{text.functions.title}</a>}>
      <section class="stack">
        <h2>{text.create.template}</h2>
        {templates.error === undefined ? null : <Problem error={templates.error} retry={templates.refresh} />}
        {templates.data === undefined && templates.error === undefined ? <Loading label={text.loading} /> : null}
        <div class="templates">
          {(templates.data ?? []).map((one) => (
            <button
              key={one.name}
              type="button"
              class="card template"
              aria-pressed={one.name === name}
              onClick={() => choose(one.name)}
            >
              <strong>{one.title}</strong>
              <span class="soft">{one.description}</span>
            </button>
          ))}
        </div>
        {template === undefined ? null : <Wizard key={template.name} template={template} />}
      </section>
    </Page>
  );
}
