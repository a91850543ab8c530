package io.millrace.subdocservice.couch;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchLimits;
import io.millrace.couch.FilterFunctions;
import io.millrace.handler.HandlerEngine;
import io.millrace.subdocservice.sandbox.SharedEngine;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Functions of design documents in the sandbox of handlers. Feeds
 * share a compiled function, and the most recent unused ones stay compiled.
 */
final class SandboxedFunctions implements FilterFunctions, AutoCloseable {

    private static final int MAX_IDLE_FUNCTIONS = 16;

    private record Key(Kind kind, String source) {}

    private final Map<Key, SandboxedFunction> ready = new LinkedHashMap<>(16, 0.75f, true);
    private final SharedEngine engine;

    SandboxedFunctions(SharedEngine engine) {
        this.engine = engine;
    }

    @Override
    public synchronized Compiled compile(Kind kind, String source, byte[] request) {
        Key key = new Key(kind, source);
        SandboxedFunction function = ready.get(key);
        if (function == null) {
            function = SandboxedFunction.start(
                    engine(),
                    kind,
                    source,
                    kind == Kind.VALIDATION ? CouchLimits.VALIDATION_TIMEOUT : CouchLimits.FILTER_TIMEOUT);
            ready.put(key, function);
        }
        function.users++;
        trim();
        return compiled(function, request);
    }

    private Compiled compiled(SandboxedFunction function, byte[] request) {
        return new Compiled() {
            private boolean closed;

            @Override
            public Verdict test(byte[] document) {
                return function.test(document, request);
            }

            @Override
            public void close() {
                synchronized (SandboxedFunctions.this) {
                    if (!closed) {
                        closed = true;
                        function.users--;
                        trim();
                    }
                }
            }
        };
    }

    private HandlerEngine engine() {
        return engine.get()
                .orElseThrow(
                        () -> CouchException.badRequest("Functions of design documents cannot run in this process."));
    }

    private void trim() {
        int idle = (int)
                ready.values().stream().filter(function -> function.users == 0).count();
        var oldest = ready.values().iterator();
        while (idle > MAX_IDLE_FUNCTIONS && oldest.hasNext()) {
            SandboxedFunction function = oldest.next();
            if (function.users == 0) {
                oldest.remove();
                function.close();
                idle--;
            }
        }
    }

    @Override
    public synchronized void close() {
        ready.values().forEach(SandboxedFunction::close);
        ready.clear();
    }
}
