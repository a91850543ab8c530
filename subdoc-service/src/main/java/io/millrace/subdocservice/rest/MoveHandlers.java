package io.millrace.subdocservice.rest;

import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import io.millrace.subdocservice.moves.BucketMoves;
import io.millrace.subdocservice.moves.BucketMoves.MoveException;
import io.millrace.subdocservice.moves.BucketMoves.MoveState;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The move of buckets to another Redis: one resource, the latest move. */
final class MoveHandlers {

    private record Wanted(String redis, List<String> buckets) {}

    private final BucketMoves moves;

    MoveHandlers(BucketMoves moves) {
        this.moves = moves;
    }

    Mono<ServerResponse> begin(ServerRequest request) {
        return ApiException.readUpTo(request, RestLimits.MAX_SETTINGS_BYTES, ApiError.BODY_TOO_LARGE)
                .map(MoveHandlers::wanted)
                .flatMap(wanted -> answer(HttpStatus.ACCEPTED, () -> moves.begin(wanted.redis, wanted.buckets)));
    }

    Mono<ServerResponse> state(ServerRequest request) {
        return answer(HttpStatus.OK, moves::state);
    }

    Mono<ServerResponse> end(ServerRequest request) {
        boolean force = request.queryParam("force").map("true"::equals).orElse(false);
        return answer(HttpStatus.OK, () -> moves.end(force));
    }

    private static Mono<ServerResponse> answer(HttpStatus status, Supplier<CompletableFuture<MoveState>> call) {
        return Mono.fromFuture(call)
                .onErrorMap(MoveException.class, MoveHandlers::refusal)
                .flatMap(state -> ServerResponse.status(status)
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(state));
    }

    private static ApiException refusal(MoveException refused) {
        ApiError error = switch (refused.kind()) {
            case RUNNING -> ApiError.MOVE_RUNNING;
            case NONE -> ApiError.MOVE_NOT_FOUND;
            case IMPOSSIBLE -> ApiError.MOVE_IMPOSSIBLE;
            case BAD_ADDRESS -> ApiError.INVALID_BODY;
        };
        return ApiException.of(error, String.valueOf(refused.getMessage()));
    }

    /** Reads {@code {"redis": address, "buckets": [name, ...]}}; without names all buckets move. */
    private static Wanted wanted(byte[] body) {
        try {
            JsonCursor.check(body);
            JsonCursor cursor = new JsonCursor(body, 0, body.length);
            String redis = "";
            List<String> buckets = new ArrayList<>();
            cursor.beginObject();
            while (cursor.nextMember()) {
                String name = cursor.readName();
                if (name.equals("redis")) {
                    redis = cursor.readString();
                } else if (name.equals("buckets")) {
                    cursor.beginArray();
                    while (cursor.nextElement()) {
                        buckets.add(cursor.readString());
                    }
                } else {
                    throw ApiException.of(
                            ApiError.INVALID_BODY,
                            "The setting '%s' does not exist; a move has the settings 'redis' and 'buckets'."
                                    .formatted(name));
                }
            }
            return new Wanted(redis, buckets);
        } catch (MalformedJson e) {
            throw ApiException.of(e);
        }
    }
}
