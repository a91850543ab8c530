package io.millrace.metakv;

import io.millrace.metakv.MetakvClient.NodeLease;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Renews a registration until it is released; a failed renewal is repeated at the next interval. */
final class RenewedLease implements NodeLease {

    private static final System.Logger LOG = System.getLogger(RenewedLease.class.getName());

    /** Renewals per lease: all but one of them may be lost without losing the lease. */
    private static final int RENEWALS_PER_LEASE = 3;

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final NodeInfo node;
    private final Duration lease;
    private final Mono<Void> removal;
    private final Disposable loop;
    private volatile boolean refused;
    private final AtomicReference<@Nullable Long> confirmedNanos = new AtomicReference<>();

    RenewedLease(NodeInfo node, Duration lease, Mono<Void> renewal, Mono<Void> removal) {
        this.node = node;
        this.lease = lease;
        this.removal = removal;
        Duration turn = lease.dividedBy(RENEWALS_PER_LEASE);
        this.loop = Flux.defer(() -> {
                    long sent = System.nanoTime();
                    return renewal.doOnSuccess(done -> confirmed(sent))
                            .onErrorResume(failure -> {
                                failed(failure);
                                return Mono.empty();
                            })
                            .then(Mono.defer(() -> Mono.delay(current() ? turn : min(turn, RETRY))));
                })
                .repeat()
                .subscribe();
    }

    @Override
    public boolean current() {
        Long confirmed = confirmedNanos.get();
        return confirmed != null && System.nanoTime() - confirmed < lease.toNanos();
    }

    @Override
    public boolean refused() {
        return refused;
    }

    /** Does not remove the registration of another process. */
    @Override
    public Mono<Void> release() {
        return Mono.fromRunnable(loop::dispose).then(Mono.defer(() -> refused ? Mono.empty() : removal));
    }

    private void confirmed(long sent) {
        if (!current()) {
            LOG.log(System.Logger.Level.INFO, "event=lease_held node={0} service={1}", node.id(), node.service());
        }
        confirmedNanos.set(sent);
        refused = false;
    }

    private void failed(Throwable failure) {
        if (failure instanceof MetakvException known && known.code() == MetakvException.Code.NODE_ID_TAKEN) {
            refuse(failure);
            return;
        }
        if (current()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "event=lease_renewal_failed node={0} service={1} reason=\"{2}\"",
                    node.id(),
                    node.service(),
                    failure.getMessage());
        } else {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "event=lease_lost node={0} service={1} reason=\"{2}\"",
                    node.id(),
                    node.service(),
                    failure.getMessage());
        }
    }

    /** Logs only the first refusal: it may last until an operator changes a setting. */
    private void refuse(Throwable failure) {
        if (!refused) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "event=lease_refused node={0} service={1} reason=\"{2}\"",
                    node.id(),
                    node.service(),
                    failure.getMessage());
        }
        confirmedNanos.set(null);
        refused = true;
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
