import { type Health, losesData, type StoreHealth, storeOf } from '../../api/cluster';
import { text } from '../../text';
import { bytes, count } from '../../ui/format';
import { Status } from '../../ui/Status';

const words = text.store;

/** How durable the Redis behind everything is, and whether it takes writes. */
export function StoreFacts({ health }: { health: Health | undefined }) {
  const store = storeOf(health);
  return store === undefined ? null : (
    <section class="card pad stack tight">
      <h2>{words.title}</h2>
      <dl class="facts">
        <dt>{words.writes}</dt>
        <dd>
          {store.takesWrites ? (
            <Status tone="ok" shape="disc" word={words.taken} />
          ) : (
            <Status tone="failed" shape="triangle" word={words.refused} />
          )}
        </dd>
        <dt>{words.appendOnly}</dt>
        <dd>
          <AppendOnly store={store} />
        </dd>
        <dt>{words.sync}</dt>
        <dd>{named(words.syncs, store.appendFsync)}</dd>
        <dt>{words.eviction}</dt>
        <dd>{named(words.evictions, store.evictionPolicy)}</dd>
        <dt>{words.replicas}</dt>
        <dd>{count(store.replicas ?? 0)}</dd>
        <dt>{words.memory}</dt>
        <dd>{memory(store)}</dd>
        <dt>{words.crash}</dt>
        <dd class={losesData(store) ? 'tone-failed' : ''}>{store.loss}</dd>
      </dl>
    </section>
  );
}

function AppendOnly({ store: { appendOnly } }: { store: StoreHealth }) {
  if (appendOnly === undefined) {
    return <Status tone="idle" shape="ring" word={words.hidden} />;
  }
  return appendOnly ? (
    <Status tone="ok" shape="disc" word={words.on} />
  ) : (
    <Status tone="failed" shape="triangle" word={words.off} />
  );
}

/** A setting of Redis in words; one without words as it is. */
const named = (names: Record<string, string>, setting: string | undefined): string =>
  setting === undefined ? words.hidden : (names[setting] ?? setting);

function memory({ usedMemory = 0, maxMemory = 0 }: StoreHealth): string {
  return maxMemory > 0 ? words.memoryOf(bytes(usedMemory), bytes(maxMemory)) : words.unlimited(bytes(usedMemory));
}
