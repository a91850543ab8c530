package io.millrace.metakv;

import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A client of MetaKV: its entries and its nodes. It repeats a write whose response was lost; the write is still applied only once. */
public interface MetakvClient extends MetakvEntries {

    /** Returns a MetaKV of its own in memory, for tests. */
    static MetakvClient inMemory() {
        return new MemoryMetakv();
    }

    /** Returns a client of metakv-service at a base URL such as {@code http://127.0.0.1:8082}; it connects on first use. */
    static MetakvClient http(URI baseUrl) {
        return new HttpMetakv(baseUrl, null, false);
    }

    /**
     * Returns a client whose writes appear in histories under a name.
     *
     * @param changedBy up to 256 characters, such as {@code eventing-service}
     */
    static MetakvClient http(URI baseUrl, String changedBy) {
        return new HttpMetakv(baseUrl, changedBy, false);
    }

    /**
     * Returns a client that identifies itself.
     *
     * @param headers returns what each request carries, such as the token of the service
     */
    static MetakvClient http(URI baseUrl, String changedBy, Supplier<Map<String, String>> headers) {
        return new HttpMetakv(baseUrl, changedBy, false, headers);
    }

    /** As {@link #http(URI, String)}, for secrets: histories hide the values that this client sets. */
    static MetakvClient httpForSecrets(URI baseUrl, String changedBy) {
        return new HttpMetakv(baseUrl, changedBy, true);
    }

    /** As {@link #http(URI, String, Supplier)}, for secrets: histories hide the values that this client sets. */
    static MetakvClient httpForSecrets(URI baseUrl, String changedBy, Supplier<Map<String, String>> headers) {
        return new HttpMetakv(baseUrl, changedBy, true, headers);
    }

    /** Deletes the entry if it has this rev; a conflict if it has another or does not exist. */
    Mono<WriteOutcome> delete(String path, String rev);

    /**
     * Returns the entries below a directory at any depth, ordered by path. The result includes every write that completed
     * before this call.
     */
    Mono<List<MetakvEntry>> list(String directory);

    /**
     * Returns changes of a path, newest first: those that are kept, which are the newest {@link
     * MetakvLimits#MAX_HISTORY_EVENTS}, fewer for large values. Empty for a path that never existed.
     *
     * @param below only changes with a smaller version
     * @param max the most changes, 1 to {@link MetakvLimits#MAX_HISTORY_EVENTS}
     */
    Mono<List<MetakvChange>> history(String path, long below, int max);

    /**
     * Deletes the entries below a directory one by one and returns their number. An entry that is added meanwhile may
     * remain.
     */
    Mono<Integer> deleteRecursively(String directory);

    /**
     * Emits the content of a directory by path, initially and after each change. The maps are immutable; a slow subscriber
     * gets only the latest.
     */
    default Flux<SortedMap<String, MetakvEntry>> follow(String directory) {
        return Flux.defer(() -> {
            var state = new TreeMap<String, MetakvEntry>();
            var ready = new boolean[1];
            return watch(directory)
                    .<SortedMap<String, MetakvEntry>>handle((event, sink) -> {
                        switch (event) {
                            case MetakvEvent.Changed(MetakvEntry entry) -> state.put(entry.path(), entry);
                            case MetakvEvent.Deleted(String path) -> state.remove(path);
                            case MetakvEvent.Ready() -> ready[0] = true;
                        }
                        if (ready[0]) {
                            sink.next(Collections.unmodifiableSortedMap(new TreeMap<>(state)));
                        }
                    })
                    .onBackpressureLatest();
        });
    }

    /** Returns the nodes with valid leases, ordered by id. */
    Mono<List<NodeInfo>> nodes();

    /**
     * Registers a node immediately and keeps it registered, also after outages, until the lease is released.
     *
     * @param lease how long the registry keeps the node without a renewal, {@link MetakvLimits#MIN_LEASE} to
     *     {@link MetakvLimits#MAX_LEASE}
     */
    NodeLease register(NodeInfo node, Duration lease);

    /** An event of a watch; see {@link MetakvEntries#watch}. */
    sealed interface MetakvEvent {

        /** The entry is new to this watch, or has a new value. */
        record Changed(MetakvEntry entry) implements MetakvEvent {}

        /** An entry that this watch emitted before was deleted. */
        record Deleted(String path) implements MetakvEvent {}

        /** The watch has emitted all entries that existed when it started. Emitted once per watch. */
        record Ready() implements MetakvEvent {}
    }

    /** The outcome of a conditional write. */
    sealed interface WriteOutcome {

        /**
         * The write was applied.
         *
         * @param rev the new version of the entry; for a deletion, the version of the tombstone
         */
        record Written(String rev) implements WriteOutcome {}

        /**
         * The entry did not have the expected version; nothing was changed.
         *
         * @param currentRev its current version, or null if it does not exist
         */
        record Conflict(@Nullable String currentRev) implements WriteOutcome {}
    }

    /** The registration of a node, renewed in the background every third of the lease until it is released. */
    interface NodeLease extends AutoCloseable {

        /** The longest wait of {@link #close}. */
        Duration PATIENCE = Duration.ofSeconds(2);

        /** Returns whether the registry has confirmed this node within the last lease. */
        boolean current();

        /**
         * Returns whether another process is registered with the id of this node. The lease keeps trying to register; until it
         * succeeds, this process must not act as the node.
         */
        default boolean refused() {
            return false;
        }

        /** Stops the renewal and removes the node from the registry. If this fails, the registration expires. */
        Mono<Void> release();

        /**
         * Releases the lease and waits at most 2 seconds; never throws, because the registration expires anyway. Do not call it
         * on an event loop.
         */
        @Override
        default void close() {
            release().timeout(PATIENCE).onErrorComplete().block();
        }
    }
}
