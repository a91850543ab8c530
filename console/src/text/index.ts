import { en } from './en';

type Widened<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: Widened<T[K]> };

/** The shape of a catalog: what another language has to say. */
export type Texts = Widened<typeof en>;

export const text: Texts = en;
