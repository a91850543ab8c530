import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { text } from '../text';

/** The head of a page: where it is, its title, its actions. */
export function Page(props: { title: string; over?: ComponentChildren; actions?: ComponentChildren; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${props.title} - ${text.product}`;
  }, [props.title]);
  return (
    <>
      <div class="head">
        <div class="grow">
          {props.over === undefined ? null : <div class="crumbs">{props.over}</div>}
          <h1>{props.title}</h1>
        </div>
        {props.actions === undefined ? null : <div class="actions">{props.actions}</div>}
      </div>
      {props.children}
    </>
  );
}
