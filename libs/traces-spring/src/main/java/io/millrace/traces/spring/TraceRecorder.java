package io.millrace.traces.spring;

import io.millrace.traces.Span;
import io.millrace.traces.SpanSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes spans to the store and the exporter on a thread of its own. When they are slower than the spans come, spans are left out:
 * a trace never delays what it is about.
 */
final class TraceRecorder implements SpanSink, AutoCloseable {

    /** The most spans that wait. */
    static final int MAX_WAITING = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(TraceRecorder.class);
    private static final int MOST_TOGETHER = 512;
    private static final int LEFT_OUT_PER_REPORT = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Ends the thread. */
    private static final Span END = new Span("", "", "", Span.Kind.EFFECT, "end", 0, 0, "", Map.of());

    private final TraceStore store;
    private final SpanExport export;
    private final BlockingQueue<Span> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final AtomicLong leftOut = new AtomicLong();
    private final Thread thread;

    TraceRecorder(TraceStore store, SpanExport export) {
        this.store = store;
        this.export = export;
        this.thread = Thread.ofVirtual().name("traces").start(this::run);
    }

    @Override
    public void accept(List<Span> spans) {
        for (Span span : spans) {
            if (!waiting.offer(span)) {
                leaveOut(1, "they come faster than they can be stored and exported");
            }
        }
    }

    private void leaveOut(int spans, String reason) {
        long before = leftOut.getAndAdd(spans);
        if (before == 0 || before / LEFT_OUT_PER_REPORT != (before + spans) / LEFT_OUT_PER_REPORT) {
            LOG.warn("event=spans_left_out spans={} reason=\"{}\"", before + spans, reason);
        }
    }

    private void run() {
        List<Span> together = new ArrayList<>();
        try {
            while (true) {
                together.clear();
                together.add(waiting.take());
                waiting.drainTo(together, MOST_TOGETHER - 1);
                boolean last = together.remove(END);
                if (!together.isEmpty()) {
                    record(List.copyOf(together));
                }
                if (last) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("event=traces_ended waiting={}", waiting.size());
        }
    }

    private void record(List<Span> spans) throws InterruptedException {
        Map<String, List<Span>> byTrace = new LinkedHashMap<>();
        spans.forEach(span -> byTrace.computeIfAbsent(span.trace(), first -> new ArrayList<>())
                .add(span));
        CompletableFuture<?> exported = export.export(spans);
        CompletableFuture<?> stored = CompletableFuture.allOf(byTrace.entrySet().stream()
                .map(each -> store.add(each.getKey(), each.getValue()))
                .toArray(CompletableFuture<?>[]::new));
        await(stored, spans.size());
        await(exported, spans.size());
    }

    private void await(CompletableFuture<?> work, int spans) throws InterruptedException {
        try {
            work.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            leaveOut(spans, String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            leaveOut(spans, "no answer within " + PATIENCE.toSeconds() + " s");
        }
    }

    /** Stores and exports what waits, as far as that is possible in a short time. */
    @Override
    public void close() {
        try {
            if (!waiting.offer(END, 1, TimeUnit.SECONDS) || !thread.join(PATIENCE)) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
