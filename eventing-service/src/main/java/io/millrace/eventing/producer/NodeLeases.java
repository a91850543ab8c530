package io.millrace.eventing.producer;

import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.rebalance.ownership.HeldLease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases of this node, one for each metadata bucket that its functions use: they lie beside the checkpoints, so that
 * whoever takes vbuckets over sees at the same moment whether their owner is alive.
 */
final class NodeLeases implements AutoCloseable {

    /** How long a node owns its vbuckets without being heard of. */
    static final Duration LEASE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(NodeLeases.class);
    private static final int RENEWALS_PER_LEASE = 5;
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final String node;
    private final CheckpointStore store;
    private final Duration lease;
    private final Map<String, Held> leases = new ConcurrentHashMap<>();
    private final StopSignal stop = new StopSignal();

    NodeLeases(String node, CheckpointStore store, Duration lease) {
        this.node = node;
        this.store = store;
        this.lease = lease;
    }

    /** Returns the lease for a metadata bucket, which was renewed at least once. */
    Held of(String bucket, Retry retry) throws InterruptedException {
        Held held = leases.computeIfAbsent(bucket, absent -> new Held());
        if (!held.held()) {
            long sent = Held.now();
            retry.call("renew_lease", () -> renewed(bucket, lease));
            held.renewed(sent);
        }
        if (held.begin()) {
            Thread.ofVirtual().name("lease-" + bucket).start(() -> renew(bucket, held));
        }
        return held;
    }

    private void renew(String bucket, Held held) {
        try {
            while (!stop.await(lease.dividedBy(RENEWALS_PER_LEASE))) {
                long sent = Held.now();
                renewed(bucket, lease).whenComplete((done, failure) -> {
                    if (failure == null) {
                        held.renewed(sent);
                    } else {
                        LOG.warn("event=lease_not_renewed bucket={} reason=\"{}\"", bucket, failure.toString());
                    }
                });
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A store without connection may throw; that must not end the renewals. */
    private CompletableFuture<Void> renewed(String bucket, Duration duration) {
        try {
            return store.renew(bucket, node, duration);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns whether there were leases and none is left: this node cannot reach Redis, and others own what it had. */
    boolean lapsed() {
        List<Held> begun = leases.values().stream().filter(Held::begun).toList();
        return !begun.isEmpty() && begun.stream().noneMatch(Held::held);
    }

    /** Ends the leases: what this node has not given up may be taken over at once. */
    @Override
    public void close() {
        stop.stop();
        CompletableFuture<?>[] ends = leases.keySet().stream()
                .map(bucket -> renewed(bucket, Duration.ZERO))
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(ends)
                    .orTimeout(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (RuntimeException e) {
            LOG.warn("event=lease_not_ended node={} reason=\"{}\"", node, e.toString());
        }
    }

    /** One lease, on this node's monotonic clock. */
    final class Held {

        private final HeldLease state = new HeldLease(lease);
        private boolean begun;

        private static long now() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }

        private synchronized boolean begin() {
            boolean first = !begun;
            begun = true;
            return first;
        }

        private synchronized boolean begun() {
            return begun;
        }

        private synchronized void renewed(long sent) {
            state.renewed(sent);
        }

        /** Returns whether nobody can have taken anything over because of time. */
        synchronized boolean held() {
            return state.held(now());
        }

        /** Returns which unbroken lease this is. */
        synchronized long term() {
            return state.term();
        }

        /** Returns whether a function that compared its vbuckets in a term may act on them. */
        synchronized boolean valid(long comparedTerm) {
            return state.valid(now(), comparedTerm);
        }
    }
}
