package io.millrace.worker;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.handler.HandlerEngine;
import io.millrace.redis.RedisTls;
import io.millrace.worker.bindings.QueryBinding;
import io.millrace.worker.bindings.RedisStore;
import io.millrace.worker.bindings.StoreQueue;
import io.millrace.worker.bindings.WorkerStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What the workers of a process share: the engine with its compiled code, the heap, and one connection for each Redis.
 */
public final class ProcessResources {

    /** Names of buckets contain no blanks. */
    private static final String NO_BUCKET = "no bucket";

    private final HandlerEngine engine;
    private final long heapBytes;
    private final Function<String, WorkerStore> connector;
    private final Map<String, WorkerStore> stores = new ConcurrentHashMap<>();
    private final LoadTurns loads = new LoadTurns();

    private ProcessResources(HandlerEngine engine, long heapBytes, Function<String, WorkerStore> connector) {
        this.engine = engine;
        this.heapBytes = heapBytes;
        this.connector = connector;
    }

    /**
     * Starts and warms up the engine, which takes seconds.
     *
     * @param heapBytes the size of the heap
     * @param connectionName the name of its connections in Redis
     * @param onStuck called when code cannot be stopped, after the worker to which it belongs
     */
    public static ProcessResources start(long heapBytes, String connectionName, Consumer<String> onStuck) {
        HandlerEngine engine = HandlerEngine.start(QueryBinding::read, onStuck);
        return new ProcessResources(
                engine, heapBytes, uri -> new RedisStore(uri, RedisTls.of(System::getenv), connectionName));
    }

    /** Returns the same process with another store at every address. */
    public ProcessResources with(WorkerStore store) {
        return new ProcessResources(engine, heapBytes, uri -> store);
    }

    /** Connects to a Redis, before a worker needs it, and returns when its first question is answered or has failed. */
    public void prepare(String uri) {
        documents(uri)
                .get(new DocumentKey(Keyspace.of(NO_BUCKET), "absent"))
                .handle((none, failure) -> none)
                .join();
    }

    /** Returns how code runs here. */
    public HandlerEngine.RuntimeReport runtime() {
        return engine.runtime();
    }

    HandlerEngine engine() {
        return engine;
    }

    LoadTurns loads() {
        return loads;
    }

    long heapBytes() {
        return heapBytes;
    }

    /** Returns the document store at a Redis URI; does not wait until there is one. */
    DocumentStore documents(String uri) {
        return at(uri).documents();
    }

    /** Returns a queue of its own to the document store at a Redis URI; does not wait until there is one. */
    StoreQueue store(String uri) {
        return at(uri).queue();
    }

    private WorkerStore at(String uri) {
        return stores.computeIfAbsent(uri, connector);
    }
}
