package io.millrace.subdocservice.moves;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a move.
 *
 * @param id the identifier of the move
 * @param redis the host and port of the new Redis
 * @param startedAt the start (RFC 3339)
 * @param error why it failed and what to do; null unless it failed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MoveState(
        String id,
        Phase phase,
        String redis,
        @JsonProperty("started_at") String startedAt,
        List<Bucket> buckets,
        @Nullable String error) {

    /** The phases of a move. */
    public enum Phase {
        @JsonProperty("copying")
        COPYING,
        /** Writes are refused, one bucket after another. */
        @JsonProperty("finishing")
        FINISHING,
        @JsonProperty("moved")
        MOVED,
        @JsonProperty("failed")
        FAILED,
        @JsonProperty("stopped")
        STOPPED,
        /** Its process ended: start the move again, or end it. */
        @JsonProperty("interrupted")
        INTERRUPTED
    }

    /**
     * The progress of a bucket.
     *
     * @param rows the number of documents and tombstones copied; one that changed during the copy counts again
     * @param total the number of documents and tombstones at the start
     * @param fencedMillis for how long writes were refused before the bucket was open in the new Redis
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Bucket(
            String bucket,
            boolean moved,
            long rows,
            long total,
            @JsonProperty("fenced_millis") @Nullable Long fencedMillis) {}

    boolean going() {
        return phase == Phase.COPYING || phase == Phase.FINISHING;
    }

    MoveState in(Phase other) {
        return new MoveState(id, other, redis, startedAt, buckets, error);
    }
}
