import { Fragment } from 'preact';

/** A name that breaks behind its separators, and within a word only where a word is too long. */
export function Name({ of }: { of: string }) {
  return (
    <>
      {of.split(/(?<=[_.:\/-])/).map((part, i) => (
        <Fragment key={i}>
          {i === 0 ? null : <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}
