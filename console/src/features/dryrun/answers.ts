import type { DryRun, DryRunResult } from '../../../generated/functions';
import { text } from '../../text';

/** What the code gets in place of answers from servers and databases. */
export type Answers = Pick<DryRun, 'responses' | 'rows' | 'sql'>;

const KINDS: readonly string[] = ['responses', 'rows', 'sql'] satisfies (keyof Answers)[];

/**
 * The answers that were typed; nothing where the text is empty.
 *
 * @throws Error when it is not an object in JSON, or has answers of another kind
 */
export function answersOf(typed: string): Answers {
  if (typed.trim() === '') {
    return {};
  }
  const given = objectIn(typed);
  const unknown = Object.keys(given).find((kind) => !KINDS.includes(kind));
  if (unknown !== undefined) {
    throw new Error(text.dryRun.noSuchAnswers(unknown));
  }
  return given;
}

/** The typed answers, and behind them those that a dry run has recorded. */
export function withRecorded(typed: string, recorded: NonNullable<DryRunResult['answers']>): string {
  const { responses = [], sql = [] } = recorded;
  if (responses.length + sql.length === 0) {
    return typed;
  }
  const given = answersOf(typed);
  const all: Answers = { ...given, responses: [...(given.responses ?? []), ...responses], sql: [...(given.sql ?? []), ...sql] };
  return JSON.stringify(all, null, 2);
}

function objectIn(typed: string): object {
  let value: unknown;
  try {
    value = JSON.parse(typed);
  } catch (error) {
    throw new Error(text.dryRun.notAnswers(error instanceof Error ? error.message : ''));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(text.dryRun.notAnswers(typed.trim().slice(0, 40)));
  }
  return value;
}
