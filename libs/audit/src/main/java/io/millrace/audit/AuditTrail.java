package io.millrace.audit;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes events to every sink, each with a chain of its own, on one thread: events that arrive while it writes go to disk
 * together. An event that a sink does not take fails; the chain of that sink goes on with the next event that it takes.
 */
public final class AuditTrail implements Audit, AutoCloseable {

    /** How many events may wait; more are refused. */
    static final int MAX_WAITING = 10_000;

    private static final int MAX_BATCH = 500;

    private sealed interface Item {}

    private record Waiting(AuditEvent event, CompletableFuture<Void> written) implements Item {}

    /** The last item. The thread is not interrupted instead: that would close the file that it may be writing. */
    private record End() implements Item {}

    private static final class Chain {
        private final AuditSink sink;
        private boolean read;
        private @Nullable ChainedLine last;

        Chain(AuditSink sink) {
            this.sink = sink;
        }

        void append(List<Waiting> batch, String service, InstantSource clock) throws IOException {
            if (!read) {
                String text = sink.last();
                try {
                    last = text == null ? null : ChainedLine.parse(text);
                } catch (IllegalArgumentException e) {
                    throw new IOException("its last line is not valid: " + e.getMessage(), e);
                }
                read = true;
            }
            ChainedLine end = last;
            List<String> lines = new ArrayList<>(batch.size());
            for (Waiting one : batch) {
                end = ChainedLine.after(end, one.event(), service, clock.instant());
                lines.add(end.text());
            }
            try {
                sink.append(lines);
            } catch (IOException e) {
                read = false; // some of the lines may have been written
                throw e;
            }
            last = end;
        }
    }

    private final String service;
    private final InstantSource clock;
    private final List<Chain> chains;
    private final BlockingQueue<Item> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final Thread thread;

    /** @param service the name of the service, as it stands in the lines */
    public AuditTrail(String service, InstantSource clock, List<AuditSink> sinks) {
        this.service = service;
        this.clock = clock;
        this.chains = sinks.stream().map(Chain::new).toList();
        this.thread = Thread.ofPlatform().daemon().name("audit").start(this::run);
    }

    @Override
    public CompletableFuture<Void> record(AuditEvent event) {
        Waiting one = new Waiting(event, new CompletableFuture<>());
        if (!thread.isAlive()) {
            one.written().completeExceptionally(unwritable("of " + service, "the service is stopping"));
        } else if (!waiting.offer(one)) {
            one.written()
                    .completeExceptionally(unwritable("of " + service, MAX_WAITING + " events are waiting already"));
        }
        return one.written();
    }

    private static AuditException unwritable(String which, String why) {
        return AuditException.unwritable(which, new IOException(why));
    }

    private void run() {
        List<Item> taken = new ArrayList<>();
        List<Waiting> batch = new ArrayList<>();
        try {
            while (!taken.contains(new End())) {
                taken.clear();
                batch.clear();
                taken.add(waiting.take());
                waiting.drainTo(taken, MAX_BATCH - 1);
                for (Item item : taken) {
                    if (item instanceof Waiting one) {
                        batch.add(one);
                    }
                }
                if (!batch.isEmpty()) {
                    write(batch);
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError("Nothing interrupts the audit thread", e);
        }
    }

    private void write(List<Waiting> batch) {
        AuditException failure = null;
        for (Chain chain : chains) {
            try {
                chain.append(batch, service, clock);
            } catch (IOException | RuntimeException e) {
                failure = AuditException.unwritable(chain.sink.name(), e);
            }
        }
        for (Waiting one : batch) {
            if (failure == null) {
                one.written().complete(null);
            } else {
                one.written().completeExceptionally(failure);
            }
        }
    }

    /** Writes what is waiting. */
    @Override
    public void close() {
        try {
            waiting.put(new End());
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
