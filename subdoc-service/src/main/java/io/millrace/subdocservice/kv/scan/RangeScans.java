package io.millrace.subdocservice.kv.scan;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The scans that clients have open. Thread-safe; no call blocks. */
public final class RangeScans {

    private final DocumentStore store;
    private final InstantSource clock;
    private final Listings listings;
    private final Map<UUID, RangeScan> open = new ConcurrentHashMap<>();

    public RangeScans(DocumentStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.listings = new Listings(store);
    }

    /**
     * What a scan is to find in a vbucket.
     *
     * @param from the bytes of the first id, and whether it is among them
     * @param to the bytes of the last id; ids are UTF-8, an end of a range need not be
     * @param samples how many ids to choose at random; 0 for all
     */
    public record Wanted(
            Keyspace keyspace,
            boolean keysOnly,
            byte[] from,
            boolean fromIncluded,
            byte[] to,
            boolean toIncluded,
            int samples,
            long seed) {

        private boolean contains(String id) {
            byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
            int start = Arrays.compareUnsigned(bytes, from);
            int end = to.length == 0 ? -1 : Arrays.compareUnsigned(bytes, to);
            return (start > 0 || start == 0 && fromIncluded) && (end < 0 || end == 0 && toIncluded);
        }

        /** The range that the store reads: that of valid text around the one that was asked for. */
        private IdRange ids() {
            return samples > 0
                    ? IdRange.ALL
                    : new IdRange(valid(from, ""), true, to.length == 0 ? null : valid(to, "\udbff\udfff"), true);
        }

        /** Returns the text of an end of the range; from the first byte on that is not UTF-8, something else. */
        private static String valid(byte[] end, String instead) {
            String text = new String(end, StandardCharsets.UTF_8);
            int wrong = text.indexOf('\ufffd');
            return wrong < 0 ? text : text.substring(0, wrong) + instead.repeat(4);
        }
    }

    /** How a scan began. */
    public sealed interface Begun {

        record Scan(RangeScan scan) implements Begun {}

        /** There is nothing in the range. */
        record Empty() implements Begun {}

        /** There are too many scans; later there may be fewer. */
        record TooMany() implements Begun {}

        /** The range has more ids than memory is set aside for. */
        record TooLarge() implements Begun {}
    }

    /** Begins a scan of a vbucket for a user. */
    public CompletableFuture<Begun> begin(String user, BucketInfo bucket, int vbucket, Wanted wanted) {
        long now = clock.millis();
        open.values().removeIf(scan -> now - scan.usedAt() > ScanLimits.SCAN_IDLE.toMillis());
        if (open.size() >= ScanLimits.MAX_SCANS || open(user) >= ScanLimits.MAX_SCANS_PER_USER) {
            return CompletableFuture.completedFuture(new Begun.TooMany());
        }
        return listings.ids(bucket, wanted.keyspace(), wanted.ids(), vbucket).thenApply(ids -> {
            if (ids == null) {
                return new Begun.TooLarge();
            }
            List<String> chosen = chosen(ids, vbucket, wanted);
            if (chosen.isEmpty()) {
                return new Begun.Empty();
            }
            RangeScan scan = new RangeScan(store, clock, user, wanted.keyspace(), chosen, wanted.keysOnly());
            open.put(scan.id(), scan);
            return new Begun.Scan(scan);
        });
    }

    private static List<String> chosen(List<String> ids, int vbucket, Wanted wanted) {
        if (wanted.samples() == 0) {
            return ids.stream().filter(wanted::contains).toList();
        }
        List<String> shuffled = new ArrayList<>(ids);
        Collections.shuffle(shuffled, new Random(wanted.seed() * 31 + vbucket));
        return shuffled.stream()
                .limit(wanted.samples())
                .sorted(IdRange::compare)
                .toList();
    }

    /** Returns an open scan. */
    public Optional<RangeScan> find(UUID id) {
        return Optional.ofNullable(open.get(id));
    }

    /** Ends a scan; null if it is not open. */
    @Nullable
    public RangeScan end(UUID id) {
        return open.remove(id);
    }

    private long open(String user) {
        return open.values().stream().filter(scan -> scan.user().equals(user)).count();
    }

    /** Returns how many scans are open. */
    int open() {
        return open.size();
    }
}
