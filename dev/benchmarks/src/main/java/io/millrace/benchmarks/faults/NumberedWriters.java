package io.millrace.benchmarks.faults;

import io.millrace.documents.VBuckets;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Clients of the binary protocol that add numbered documents at a steady rate together. A request that fails is repeated
 * until it succeeds: as each adds a document that may be there already, none is a second change of a document.
 */
final class NumberedWriters implements AutoCloseable {

    private static final int CLIENTS = 8;
    private static final long PAUSE_NANOS = 20_000_000;

    private final Door door;
    private final String prefix;
    private final int rate;
    private final ConcurrentLinkedQueue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong next = new AtomicLong();
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean stopped;

    /** Opens connections to the bucket. */
    interface Door {
        MemcachedClient open() throws IOException;
    }

    /**
     * Begins.
     *
     * @param prefix of the ids of the documents, which no others have had
     * @param rate the writes per second
     */
    NumberedWriters(Door door, String prefix, int rate) {
        this.door = door;
        this.prefix = prefix;
        this.rate = rate;
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(Thread.ofPlatform().start(this::run));
        }
    }

    private void run() {
        long every = 1_000_000_000L * CLIENTS / rate;
        long due = System.nanoTime();
        MemcachedClient client = null;
        while (!stopped) {
            String id = prefix + next.getAndIncrement();
            boolean done = false;
            while (!done && !stopped) {
                try {
                    client = client == null ? door.open() : client;
                    done = added(client, id);
                } catch (IOException e) {
                    client = closed(client);
                }
                if (!done) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
            if (done) {
                acknowledged.add(id);
                count.incrementAndGet();
            }
            // what an outage has delayed is not made up for
            due = Math.max(due + every, System.nanoTime() - every);
            LockSupport.parkNanos(due - System.nanoTime());
        }
        closed(client);
    }

    private static boolean added(MemcachedClient client, String id) throws IOException {
        Status status = client.call(Call.of(Opcode.ADD, id)
                        .withExtras(Call.numbers(0, 0))
                        .withValue("{\"at\":" + System.currentTimeMillis() + "}")
                        .withVbucket(VBuckets.of(id)))
                .status();
        return status == Status.SUCCESS || status == Status.KEY_EEXISTS;
    }

    private static @Nullable MemcachedClient closed(@Nullable MemcachedClient client) {
        if (client != null) {
            try {
                client.close();
            } catch (IOException e) {
                // it was broken
            }
        }
        return null;
    }

    /** Returns how many writes were acknowledged so far. */
    long count() {
        return count.get();
    }

    /** Returns the ids that were acknowledged since the last call. */
    List<String> news() {
        List<String> news = new ArrayList<>();
        for (String id = acknowledged.poll(); id != null; id = acknowledged.poll()) {
            news.add(id);
        }
        return news;
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        for (Thread client : clients) {
            client.join();
        }
    }
}
