package io.millrace.subdocservice.moves;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a move is.
 *
 * @param id names the move
 * @param redis the new place, without user and password
 * @param startedAt as in RFC 3339
 * @param error why it failed, and what to do
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MoveState(
        String id,
        Phase phase,
        String redis,
        @JsonProperty("started_at") String startedAt,
        List<Bucket> buckets,
        @Nullable String error) {

    /** Where a move, or one of its buckets, stands. */
    public enum Phase {
        @JsonProperty("copying")
        COPYING,
        /** Writers are refused, one bucket after another. */
        @JsonProperty("finishing")
        FINISHING,
        @JsonProperty("moved")
        MOVED,
        @JsonProperty("failed")
        FAILED,
        @JsonProperty("stopped")
        STOPPED,
        /** Its process went away: begin the move again, or end it. */
        @JsonProperty("interrupted")
        INTERRUPTED
    }

    /**
     * One of the buckets.
     *
     * @param rows how many documents and tombstones were copied; one that changed meanwhile counts again
     * @param total how many there were at the beginning
     * @param fencedMillis for how long writers were refused before the bucket was open at the new place
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
