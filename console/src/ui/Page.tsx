import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { text } from '../text';

interface Props {
  title: string;
  /** Where it is. */
  over?: ComponentChildren;
  /** What it is about. */
  under?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** The head of a page, and the page. */
export function Page(props: Props) {
  useEffect(() => {
    document.title = `${props.title} - ${text.product}`;
  }, [props.title]);
  return (
    <>
      <div class="head">
        <div class="grow">
          {props.over === undefined ? null : <div class="crumbs">{props.over}</div>}
          <h1>{props.title}</h1>
          {props.under === undefined ? null : <p class="soft">{props.under}</p>}
        </div>
        {props.actions === undefined ? null : <div class="actions">{props.actions}</div>}
      </div>
      {props.children}
    </>
  );
}
