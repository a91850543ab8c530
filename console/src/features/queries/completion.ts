import type { CompletionContext, CompletionSource } from '@codemirror/autocomplete';

const KEYWORDS = (
  'SELECT DISTINCT RAW FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET LET WITH UNNEST NEST JOIN LEFT ON KEYS AS AND OR NOT ' +
  'IN LIKE BETWEEN IS NULL MISSING VALUED ANY EVERY SATISFIES END CASE WHEN THEN ELSE INSERT INTO VALUES UPSERT UPDATE SET ' +
  'UNSET DELETE MERGE RETURNING EXPLAIN CREATE PRIMARY INDEX DROP BUILD PREPARE EXECUTE ASC DESC UNION INTERSECT EXCEPT'
).split(' ');

const FUNCTIONS = (
  'META COUNT SUM AVG MIN MAX ARRAY_AGG ARRAY_LENGTH ARRAY_CONTAINS LOWER UPPER LENGTH SUBSTR CONTAINS SPLIT ROUND FLOOR ' +
  'CEIL ABS NOW_STR NOW_MILLIS STR_TO_MILLIS MILLIS_TO_STR TO_STRING TO_NUMBER IFMISSING IFNULL OBJECT_NAMES TYPE'
).split(' ');

/** Completes words of the language and the keyspaces that exist. */
export function completion(keyspaces: string[]): CompletionSource {
  const options = [
    ...keyspaces.map((label) => ({ label, type: 'namespace', boost: 2 })),
    ...KEYWORDS.map((label) => ({ label, type: 'keyword' })),
    ...FUNCTIONS.map((label) => ({ label, type: 'function', apply: `${label}(` })),
  ];
  return (context: CompletionContext) => {
    const word = context.matchBefore(/[`\w]+/);
    return word === null && !context.explicit ? null : { from: word?.from ?? context.pos, options, validFor: /^[`\w]*$/ };
  };
}
