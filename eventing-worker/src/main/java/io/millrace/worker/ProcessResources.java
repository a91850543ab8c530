package io.millrace.worker;

import io.millrace.documents.DocumentStore;
import io.millrace.handler.HandlerEngine;
import io.millrace.redis.RedisTls;
import io.millrace.worker.bindings.QueryBinding;
import io.millrace.worker.bindings.RedisStore;
import io.millrace.worker.bindings.StoreQueue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * What the workers of a process share: the engine with its compiled code, the heap, and one connection for each Redis.
 */
public final class ProcessResources {

    private final HandlerEngine engine;
    private final long heapBytes;
    private final Map<String, RedisStore> stores = new ConcurrentHashMap<>();

    private ProcessResources(HandlerEngine engine, long heapBytes) {
        this.engine = engine;
        this.heapBytes = heapBytes;
    }

    /**
     * Starts and warms up the engine, which takes seconds.
     *
     * @param heapBytes the size of the heap
     * @param onStuck called when code cannot be stopped, after the worker to which it belongs
     */
    public static ProcessResources start(long heapBytes, Consumer<String> onStuck) {
        return new ProcessResources(HandlerEngine.start(QueryBinding::read, onStuck), heapBytes);
    }

    /** Returns how code runs here. */
    public HandlerEngine.RuntimeReport runtime() {
        return engine.runtime();
    }

    HandlerEngine engine() {
        return engine;
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

    private RedisStore at(String uri) {
        return stores.computeIfAbsent(uri, each -> new RedisStore(each, RedisTls.of(System::getenv)));
    }
}
