package io.millrace.traces.spring;

import io.millrace.traces.Span;
import io.millrace.traces.TracesLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Traces in memory: the specification of the store, and for tests. */
public final class MemoryTraceStore implements TraceStore {

    private final int kept;
    private final Map<String, List<Span>> traces = new HashMap<>();
    private final Map<Reference, LinkedHashSet<String>> index = new HashMap<>();

    /** @param kept how many traces of each function, and of writes */
    public MemoryTraceStore(int kept) {
        this.kept = kept;
    }

    @Override
    public synchronized CompletableFuture<Void> add(String trace, List<Span> spans) {
        List<Span> known = traces.computeIfAbsent(trace, first -> new ArrayList<>());
        spans.stream().limit(TracesLimits.MAX_SPANS - known.size()).forEach(known::add);
        for (Reference reference : References.of(spans)) {
            LinkedHashSet<String> newest = index.computeIfAbsent(reference, first -> new LinkedHashSet<>());
            newest.add(trace);
            if (reference.keeps() && newest.size() > kept) {
                leave(newest.removeFirst());
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    private void leave(String trace) {
        boolean needed = index.entrySet().stream()
                .anyMatch(each -> each.getKey().keeps() && each.getValue().contains(trace));
        if (!needed) {
            traces.remove(trace);
            index.values().forEach(ids -> ids.remove(trace));
            index.values().removeIf(Set::isEmpty);
        }
    }

    @Override
    public synchronized CompletableFuture<List<Span>> spans(String trace) {
        return CompletableFuture.completedFuture(List.copyOf(traces.getOrDefault(trace, List.of())));
    }

    @Override
    public synchronized CompletableFuture<List<String>> newest(Reference reference, int most) {
        LinkedHashSet<String> ids = index.getOrDefault(reference, new LinkedHashSet<>());
        return CompletableFuture.completedFuture(
                ids.reversed().stream().limit(most).toList());
    }
}
