import { text } from '../../text';

const KEY = 'millrace.statements';
const KEPT = 50;
const words = text.queries;

function remembered(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return [];
  }
}

/** Keeps a statement in this browser, the newest first. */
export function remember(statement: string): void {
  try {
    const all = [statement, ...remembered().filter((one) => one !== statement)];
    localStorage.setItem(KEY, JSON.stringify(all.slice(0, KEPT)));
  } catch {
    // without storage there is no history
  }
}

export function HistoryList({ take }: { take: (statement: string) => void }) {
  const all = remembered();
  return (
    <section class="stack tight">
      <h2>{words.history}</h2>
      {all.length === 0 ? <p class="soft">{words.noHistory}</p> : null}
      {all.length === 0 ? null : (
        <ul class="card ids">
          {all.map((statement) => (
            <li key={statement}>
              <button type="button" class="mono" onClick={() => take(statement)}>
                {statement.length > 200 ? `${statement.slice(0, 200)} …` : statement}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
