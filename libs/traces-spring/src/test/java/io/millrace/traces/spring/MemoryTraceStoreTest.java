package io.millrace.traces.spring;

class MemoryTraceStoreTest extends TraceStoreContract {

    private final TraceStore store = new MemoryTraceStore(KEPT);

    @Override
    TraceStore store() {
        return store;
    }
}
