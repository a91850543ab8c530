package io.millrace.metakv;

import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Entries of MetaKV. Thread-safe; methods do nothing before subscription and never block.
 *
 * <p>All methods may fail with {@link MetakvException}. Expected outcomes are values: a missing entry is an empty
 * {@code Mono}, a conflict is {@link WriteOutcome.Conflict}.
 */
public interface MetakvEntries {

    /** Returns the current entry, or empty if it does not exist. */
    Mono<MetakvEntry> get(String path);

    /** Sets the value unconditionally and returns the new rev. */
    Mono<String> set(String path, byte[] value);

    /** Sets the value if the entry has this rev; a conflict if it has another or does not exist. */
    Mono<WriteOutcome> set(String path, byte[] value, String rev);

    /** Creates the entry; a conflict if it exists. */
    Mono<WriteOutcome> add(String path, byte[] value);

    /** Deletes the entry; does nothing if it does not exist. */
    Mono<Void> delete(String path);

    /**
     * Emits the entries below a directory, then {@link MetakvEvent.Ready}, then every change, without end. After a lost
     * connection, the watch reconnects with growing pauses and emits the changes that it missed, deletions included; no
     * event is emitted twice. Events come in the order of the writes and include states that were overwritten while the
     * subscriber was slow or disconnected, as long as the service keeps them: the newest 1,000 changes of a path, fewer for
     * large values. After a longer interruption, or when Redis lost writes, the watch emits only the differences.
     * Fails only on an invalid path. Keeps paths and revs in memory, but no values.
     */
    Flux<MetakvEvent> watch(String directory);
}
