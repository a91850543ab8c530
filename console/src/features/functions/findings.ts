import { ApiError } from '../../api/http';
import type { Finding } from '../../ui/editor/mount';

/** What the server said about code, at the places that it named. */
export function findings(error: unknown): Finding[] {
  return error instanceof ApiError ? [...places(error.body)] : [];
}

/** Errors name line and column in objects of their own or in their text, wherever they stand in the answer. */
function* places(body: unknown): Generator<Finding> {
  if (Array.isArray(body)) {
    for (const one of body) {
      yield* places(one);
    }
  } else if (typeof body === 'object' && body !== null) {
    const all = body as Record<string, unknown>;
    const { line, column, line_number: lineNumber, column_number: columnNumber, description, message, errors } = all;
    if (Array.isArray(errors) && errors.length > 0) {
      yield* places(errors); // the object itself repeats the first of them
      return;
    }
    const at = line ?? lineNumber;
    if (typeof at === 'number') {
      const col = column ?? columnNumber;
      yield {
        line: at,
        column: typeof col === 'number' ? col : 1,
        message: String(message ?? description ?? ''),
        severity: 'error',
      };
    } else {
      for (const value of Object.values(all)) {
        yield* places(value);
      }
    }
  }
}
