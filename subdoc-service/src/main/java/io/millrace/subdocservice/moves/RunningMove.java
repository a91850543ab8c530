package io.millrace.subdocservice.moves;

import io.millrace.documents.redis.BucketMove;
import io.millrace.subdocservice.moves.BucketMoves.MoveState;
import io.millrace.subdocservice.moves.BucketMoves.MoveState.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running move: copies all its buckets while they are in use, and then finishes one after another. */
final class RunningMove implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(RunningMove.class);
    private static final Duration BEAT = Duration.ofMillis(500);

    /** The first buckets change while the last are copied. */
    private static final int MAX_ROUNDS = 5;

    private static final int FEW_ROWS = 1_000;

    private final String id;
    private final String place;
    private final String startedAt;
    private final List<BucketMove> moves;
    private final TargetRedis there;
    private final BucketMoves owner;
    private final Map<String, Duration> fenced = new LinkedHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Phase phase = Phase.COPYING;
    private volatile @Nullable String error;

    RunningMove(
            String id, String place, String startedAt, List<BucketMove> moves, TargetRedis there, BucketMoves owner) {
        this.id = id;
        this.place = place;
        this.startedAt = startedAt;
        this.moves = List.copyOf(moves);
        this.there = there;
        this.owner = owner;
    }

    synchronized MoveState state() {
        List<MoveState.Bucket> buckets = new ArrayList<>();
        for (BucketMove move : moves) {
            Duration refused = fenced.get(move.bucket());
            buckets.add(new MoveState.Bucket(
                    move.bucket(),
                    refused != null,
                    move.rows(),
                    move.total(),
                    refused == null ? null : refused.toMillis()));
        }
        return new MoveState(id, phase, place, startedAt, buckets, error);
    }

    @Override
    public void run() {
        Thread beat = Thread.ofVirtual().name("bucket-move-beat").start(this::beat);
        try (there) {
            LOG.info("event=move_started id={} redis={} buckets={}", id, place, moves.size());
            work();
            phase = Phase.MOVED;
            LOG.info("event=move_done id={} redis={}", id, place);
        } catch (CancellationException e) {
            phase = Phase.STOPPED;
            LOG.info("event=move_stopped id={}", id);
        } catch (RuntimeException e) {
            LOG.warn("event=move_failed id={} reason=\"{}\"", id, e.getMessage());
            boolean open = moves.stream().noneMatch(BucketMove::refusesWriters);
            error = e.getMessage()
                    + (open
                            ? " Buckets that have not moved accept writes as before."
                            : " To abandon it, DELETE /api/v1/move.")
                    + " To continue, start the move again.";
            phase = Phase.FAILED;
        } finally {
            leave(beat);
        }
    }

    private void work() {
        moves.forEach(BucketMove::prepare);
        boolean much = moves.size() > 1;
        for (int round = 0; much && round < MAX_ROUNDS; round++) {
            much = moves.stream().mapToLong(BucketMove::catchUp).sum() > FEW_ROWS;
        }
        moves.forEach(move -> owner.requireNoEventingNode(move.bucket()));
        phase = Phase.FINISHING;
        for (BucketMove move : moves) {
            BucketMove.Result done = move.finish();
            synchronized (this) {
                fenced.put(move.bucket(), done.fenced());
            }
            LOG.info(
                    "event=bucket_moved id={} bucket={} rows={} fenced_ms={}",
                    id,
                    move.bucket(),
                    done.rows(),
                    done.fenced().toMillis());
        }
    }

    /** Renews the lease and stores the state; without the lease this move must end. */
    private void beat() {
        try {
            while (!ended.await(BEAT.toMillis(), TimeUnit.MILLISECONDS)) {
                keepOn();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void keepOn() {
        try {
            if (!owner.goesOn(id)) {
                moves.forEach(BucketMove::stop);
            }
            owner.saveUnlessFollowed(state());
        } catch (RuntimeException e) {
            LOG.warn("event=move_beat_failed id={} reason=\"{}\"", id, e.getMessage());
        }
    }

    /** Stores the final state and gives the lease up. */
    private void leave(Thread beat) {
        try {
            ended.countDown();
            beat.join();
            owner.saveUnlessFollowed(state());
            owner.unlock(id);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("event=move_state_lost id={} reason=\"{}\"", id, e.getMessage());
        }
    }
}
