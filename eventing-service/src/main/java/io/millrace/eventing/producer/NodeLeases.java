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
 * The leases of this node, one for each metadata bucket that its functions use. They are stored next to the
 * checkpoints, so that a claim sees atomically whether the owner of a vbucket is alive.
 */
final class NodeLeases implements AutoCloseable {

    /** How long a node keeps its vbuckets after its last renewal. */
    static final Duration LEASE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(NodeLeases.class);
    private static final int RENEWALS_PER_LEASE = 5;
    private static final Duration LAST_CALL = Duration.ofSeconds(2);

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

    /** Returns the lease for a metadata bucket after at least one renewal. */
    Held of(String bucket, Retry retry) throws InterruptedException {
        Held held = leases.computeIfAbsent(bucket, absent -> new Held());
        if (!held.held()) {
            long sent = Held.now();
            held.renewed(sent, retry.call("renew_lease", () -> renewed(bucket, lease)));
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
                renewed(bucket, lease).whenComplete((renewed, failure) -> {
                    if (failure == null) {
                        held.renewed(sent, renewed);
                    } else {
                        LOG.warn("event=lease_not_renewed bucket={} reason=\"{}\"", bucket, failure.toString());
                    }
                });
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A store without a connection may throw; that must not end the renewals. */
    private CompletableFuture<CheckpointStore.Renewed> renewed(String bucket, Duration duration) {
        try {
            return store.renew(bucket, node, duration);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Returns whether every lease of this node has expired: it cannot reach Redis, and other nodes may own its
     * vbuckets.
     */
    boolean lapsed() {
        List<Held> begun = leases.values().stream().filter(Held::begun).toList();
        return !begun.isEmpty() && begun.stream().noneMatch(Held::held);
    }

    /** Returns how the leases stand now; equal to an earlier answer if nothing has changed that functions act on. */
    List<Standing> standings() {
        return leases.values().stream().map(Held::standing).toList();
    }

    /** Ends the leases: vbuckets that this node has not given up may be claimed at once. */
    @Override
    public void close() {
        stop.stop();
        CompletableFuture<?>[] ends = leases.keySet().stream()
                .map(bucket -> renewed(bucket, Duration.ZERO))
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(ends)
                    .orTimeout(LAST_CALL.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (RuntimeException e) {
            LOG.warn("event=lease_not_ended node={} reason=\"{}\"", node, e.toString());
        }
    }

    /**
     * How a lease stands.
     *
     * @param held whether no other node can have claimed anything
     * @param term the number of the present uninterrupted lease
     * @param run the run of Redis in which it was renewed last
     */
    record Standing(boolean held, long term, String run) {}

    /** One lease, on this node's monotonic clock. */
    final class Held {

        private final HeldLease state = new HeldLease(lease);
        private boolean begun;
        private String run = "";

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

        private synchronized void renewed(long sent, CheckpointStore.Renewed renewed) {
            state.renewed(sent, renewed.lapsed());
            run = renewed.run();
        }

        private synchronized Standing standing() {
            return new Standing(held(), term(), run);
        }

        /** Returns the run of Redis in which the lease was renewed last. */
        synchronized String run() {
            return run;
        }

        /** Returns whether the lease is valid, so that no other node can have claimed anything. */
        synchronized boolean held() {
            return state.held(now());
        }

        /** Returns the number of the present uninterrupted lease. */
        synchronized long term() {
            return state.term();
        }

        /** Returns whether a function that compared its vbuckets in a term may act on them. */
        synchronized boolean valid(long comparedTerm) {
            return state.valid(now(), comparedTerm);
        }
    }
}
