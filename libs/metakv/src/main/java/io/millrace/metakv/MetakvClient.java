package io.millrace.metakv;

import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * MetaKV as a service sees it. Thread-safe; nothing happens before subscription and nothing blocks.
 *
 * <p>Everything may fail with {@link MetakvException}. What is expected to happen is a value instead: a missing entry is
 * an empty {@code Mono}, a conflict is {@link WriteOutcome.Conflict}. A write is sent again after a lost answer and
 * still happens once.
 */
public interface MetakvClient {

    /** Returns a client of the service at a base URL such as {@code http://127.0.0.1:8082}; connects on first use. */
    static MetakvClient http(URI baseUrl) {
        return new HttpMetakv(baseUrl, null, false);
    }

    /**
     * Returns a client whose writes the histories tell by a name.
     *
     * @param changedBy up to 256 characters, such as {@code eventing-service}
     */
    static MetakvClient http(URI baseUrl, String changedBy) {
        return new HttpMetakv(baseUrl, changedBy, false);
    }

    /** Like {@link #http(URI, String)}, for secrets: histories do not show the values that this client sets. */
    static MetakvClient httpForSecrets(URI baseUrl, String changedBy) {
        return new HttpMetakv(baseUrl, changedBy, true);
    }

    /** Returns the entry as of now, or nothing. */
    Mono<MetakvEntry> get(String path);

    /** Sets the value whatever was there, and returns the new rev. */
    Mono<String> set(String path, byte[] value);

    /** Sets the value of an entry that has this rev; a conflict when it has another or is not there. */
    Mono<WriteOutcome> set(String path, byte[] value, String rev);

    /** Sets the value where there is no entry; a conflict otherwise. */
    Mono<WriteOutcome> add(String path, byte[] value);

    /** Deletes the entry; one that is not there is no error. */
    Mono<Void> delete(String path);

    /** Deletes the entry that has this rev; a conflict when it has another or is not there. */
    Mono<WriteOutcome> delete(String path, String rev);

    /**
     * Returns the entries below a directory at any depth, ordered by path. Every write that was answered before this
     * call is seen.
     */
    Mono<List<MetakvEntry>> list(String directory);

    /**
     * Deletes what is below a directory, entry by entry, and returns how many there were. An entry that is added
     * meanwhile may stay.
     */
    Mono<Integer> deleteRecursively(String directory);

    /**
     * Tells what is below a directory, then {@link MetakvEvent.Ready}, then each change, without end. A lost connection
     * is restored with growing pauses and what changed meanwhile is told, deletions included; nothing is told twice.
     * Every state is told, in the order of the writes, those that were overwritten while the watcher was slow or
     * disconnected as well, as long as the service keeps them: the newest 1,000 changes of a path, fewer of large values.
     * After a longer absence, or when Redis lost writes, only the differences between then and now are told.
     * Fails only on an invalid path. Does not keep what it tells, but for paths and revs.
     */
    Flux<MetakvEvent> watch(String directory);

    /**
     * Returns the content of a directory by path: as soon as it is known and again after each change. The maps are
     * immutable; a slow subscriber gets the latest.
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

    /** Returns the nodes whose leases are running, ordered by id. */
    Mono<List<NodeInfo>> nodes();

    /**
     * Registers a node at once and keeps it registered, through outages too, until the lease is released.
     *
     * @param lease how long the registry keeps the node when it is not heard of, {@link MetakvLimits#MIN_LEASE} to
     *     {@link MetakvLimits#MAX_LEASE}
     */
    NodeLease register(NodeInfo node, Duration lease);
}
