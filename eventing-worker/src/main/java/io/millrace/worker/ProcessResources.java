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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What the workers of a process share: the engine with its compiled code, the heap, and one connection for each Redis that any of
 * them uses.
 */
public final class ProcessResources {

    /** Names of buckets contain no blanks. */
    private static final String NO_BUCKET = "no bucket";

    private final HandlerEngine engine;
    private final long heapBytes;
    private final Function<String, WorkerStore> connector;
    private final LoadTurns loads = new LoadTurns();

    /** By their addresses; guarded by itself. */
    private final Map<String, Shared> stores = new HashMap<>();

    private ProcessResources(HandlerEngine engine, long heapBytes, Function<String, WorkerStore> connector) {
        this.engine = engine;
        this.heapBytes = heapBytes;
        this.connector = connector;
    }

    /**
     * Starts the engine.
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

    /**
     * Connects to a Redis, before a worker needs it, and returns when its first question is answered or has failed. The
     * connection stays, also when no worker uses it.
     */
    public void prepare(String uri) {
        open(uri)
                .documents()
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

    /** Notes that a function is about to start. */
    public void expectStart() {
        loads.begin();
        loads.end();
    }

    /** Runs something on a thread of its own once no function is starting, and before code is loaded that nothing waits for. */
    public void beforeLoads(Runnable first) {
        loads.addFirst(onThread("before-loads", first));
    }

    /** Runs something on a thread of its own once no function is starting, and after code is loaded that nothing waits for. */
    public void afterLoads(Runnable last) {
        loads.add(List.of(onThread("after-loads", last)));
    }

    private static LoadTurns.Load onThread(String name, Runnable task) {
        return () -> CompletableFuture.runAsync(
                task, run -> Thread.ofPlatform().daemon().name(name).start(run));
    }

    LoadTurns loads() {
        return loads;
    }

    long heapBytes() {
        return heapBytes;
    }

    /** Returns the stores at a Redis URI, which stay open until the last use of them is closed; does not wait for a connection. */
    Use open(String uri) {
        synchronized (stores) {
            Shared shared = stores.computeIfAbsent(uri, address -> new Shared(connector.apply(address)));
            shared.users++;
            return new Use(uri, shared);
        }
    }

    private static final class Shared {
        private final WorkerStore store;
        private int users;

        private Shared(WorkerStore store) {
            this.store = store;
        }
    }

    /** The stores at a Redis URI until this is closed; the last one to be closed ends the connection. */
    final class Use implements AutoCloseable {

        private final String uri;
        private final Shared shared;
        private boolean closed;

        private Use(String uri, Shared shared) {
            this.uri = uri;
            this.shared = shared;
        }

        DocumentStore documents() {
            return shared.store.documents();
        }

        /** Returns a queue of its own. */
        StoreQueue queue() {
            return shared.store.queue();
        }

        /** Does not wait for the end of the connection. */
        @Override
        public void close() {
            synchronized (stores) {
                if (closed) {
                    return;
                }
                closed = true;
                if (--shared.users > 0) {
                    return;
                }
                stores.remove(uri);
            }
            Thread.ofVirtual().name("store-end").start(shared.store::close);
        }
    }
}
