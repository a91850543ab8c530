package io.millrace.benchmarks.kv;

import io.millrace.memcached.Feature;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/**
 * Sends requests of the binary protocol over several connections.
 *
 * @param window how many requests of a connection are in flight
 */
record KvLoad(int connections, int window) {

    /** Returns how many requests are in flight. */
    int inFlight() {
        return connections * window;
    }

    /** Sends the requests of the numbers from 0 as a user; fails if one does not succeed. */
    void run(KvSuite suite, String user, String bucket, int operations, IntFunction<Call> call) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            for (int c = 0; c < connections; c++) {
                int first = c;
                ends.add(threads.submit(() -> {
                    one(suite, user, bucket, operations / connections, n -> call.apply(first + n * connections));
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    /** Sends a full window of requests of one connection, then reads all their responses. */
    private void one(KvSuite suite, String user, String bucket, int operations, IntFunction<Call> call)
            throws IOException {
        try (MemcachedClient client = suite.openAs(user, bucket, Feature.XATTR, Feature.JSON)) {
            int sent = 0;
            int received = 0;
            while (received < operations) {
                while (sent < operations && sent - received < window) {
                    client.send(call.apply(sent++));
                }
                client.flush();
                for (int half = Math.max(1, (sent - received) / 2); half > 0; half--) {
                    MemcachedClient.Answer answer = client.receive();
                    if (answer.status() != Status.SUCCESS) {
                        throw new IOException("An operation failed with status 0x%x".formatted(answer.code()));
                    }
                    received++;
                }
            }
        }
    }
}
