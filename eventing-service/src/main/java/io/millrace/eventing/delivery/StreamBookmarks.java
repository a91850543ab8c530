package io.millrace.eventing.delivery;

import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.lasthandled.LastHandledStore;
import io.millrace.eventing.lasthandled.LastHandledStore.Handled;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.rebalance.VbucketSet;
import io.millrace.streams.store.StreamName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far a function has handled each event stream. A checkpoint says up to where the streams were looked at; it does not say
 * how many events of a stream were handled, because a stream that changes moves ahead in the feed with its older events.
 */
final class StreamBookmarks {

    private static final Logger LOG = LoggerFactory.getLogger(StreamBookmarks.class);

    private final FunctionSpec spec;
    private final LastHandledStore store;
    private final CheckpointGroup group;
    private final IntToLongFunction epochs;
    private final Duration atMost;

    /** Behind which seqno the function began, by vbucket; without those where it began with everything. */
    private final Map<Integer, Long> starts = new HashMap<>();

    /**
     * A place in a stream.
     *
     * @param next the index of the next event to handle
     * @param seqno of the event before it: it differs if Redis has lost that event and another one took its index
     */
    record Bookmark(long next, long seqno) {

        static final Bookmark START = new Bookmark(0, 0);

        private byte[] bytes() {
            return (next + " " + seqno).getBytes(StandardCharsets.US_ASCII);
        }

        private static Bookmark of(byte @Nullable [] bytes) {
            if (bytes == null) {
                return START;
            }
            String[] parts = new String(bytes, StandardCharsets.US_ASCII).split(" ");
            return new Bookmark(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
        }
    }

    /** @param epochs returns the epoch of an owned vbucket */
    StreamBookmarks(FunctionSpec spec, RuntimeEnvironment environment, IntToLongFunction epochs) {
        this.spec = spec;
        this.store = environment.lastHandled();
        this.group = spec.checkpoints();
        this.epochs = epochs;
        this.atMost = environment.settings().lastSaveTimeout();
    }

    /**
     * Remembers where a function began that starts from now, and reads it when it has begun before.
     *
     * @param saved returns up to which seqno a vbucket was handled and saved
     */
    void begin(VbucketSet vbuckets, IntToLongFunction saved, Retry retry) throws InterruptedException {
        if (spec.source().boundary() != FeedBoundary.FROM_NOW || vbuckets.isEmpty()) {
            return;
        }
        List<Integer> all = vbuckets.stream().boxed().toList();
        List<byte @Nullable []> known = retry.call(
                "recall_starts",
                () -> store.recall(
                        group, all.stream().map(StreamBookmarks::start).toList()));
        List<Handled> first = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            int vbucket = all.get(i);
            byte[] found = known.get(i);
            Bookmark began = found == null ? new Bookmark(0, saved.applyAsLong(vbucket)) : Bookmark.of(found);
            starts.put(vbucket, began.seqno);
            if (found == null) {
                first.add(new Handled(vbucket, epochs.applyAsLong(vbucket), start(vbucket), began.bytes()));
            }
        }
        retry.call("remember_starts", () -> store.remember(group, first));
    }

    /** No stream has this name: it would have a hyphen. */
    private static String start(int vbucket) {
        return "start " + vbucket;
    }

    /** Returns up to which seqno the events of a vbucket are left out. */
    long leftOut(int vbucket) {
        return Math.max(spec.source().after(), starts.getOrDefault(vbucket, 0L));
    }

    Bookmark recall(StreamName stream, Retry retry) throws InterruptedException {
        List<byte @Nullable []> found =
                retry.call("recall_bookmark", () -> store.recall(group, List.of(stream.toString())));
        return Bookmark.of(found.getFirst());
    }

    /**
     * Stores how far a stream is handled; repeats that until it succeeds or the delivery ends. Returns whether it is stored: not
     * when another node has the vbucket by now.
     */
    boolean remember(OpenStream stream, Bookmark bookmark, Retry retry) throws InterruptedException {
        Handled state = new Handled(
                stream.vbucket(),
                epochs.applyAsLong(stream.vbucket()),
                stream.name().toString(),
                bookmark.bytes());
        Optional<Integer> fenced = retry.inTime(
                atMost,
                () -> store.remember(group, List.of(state)),
                failure -> LOG.warn(
                        "event=bookmark_failed function={} stream={} reason=\"{}\"",
                        spec.name(),
                        stream.name(),
                        failure.toString()));
        return fenced.equals(Optional.of(0));
    }
}
