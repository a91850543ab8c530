package io.millrace.subdocservice.rest;

import static io.millrace.subdocservice.rest.Describe.answers;
import static io.millrace.subdocservice.rest.Describe.arrayOf;
import static io.millrace.subdocservice.rest.Describe.body;
import static io.millrace.subdocservice.rest.Describe.content;
import static io.millrace.subdocservice.rest.Describe.operation;
import static io.millrace.subdocservice.rest.Describe.parameters;
import static io.millrace.subdocservice.rest.Describe.ref;
import static io.millrace.subdocservice.rest.Describe.refusals;
import static io.millrace.subdocservice.rest.Describe.type;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Schema;
import java.util.List;
import java.util.Map;

/** What OpenAPI says of the move of buckets to another Redis. */
final class MoveDescriptions {

    private static final Map<String, Object> EXAMPLE = Map.of(
            "id", "0b7e0f0c-9a3b-4d6e-8b38-3a5f6f4f0f55",
            "phase", "copying",
            "redis", "redis-2:6379",
            "started_at", "2026-01-05T10:00:00Z",
            "buckets", List.of(Map.of("bucket", "orders", "moved", false, "rows", 1200, "total", 5050)));

    private MoveDescriptions() {}

    static Operation begin() {
        Operation operation = operation(
                "beginMove",
                BucketDescriptions.TAG,
                "Move buckets to another Redis",
                "Copies the buckets while they are in use, then refuses writers with 503 for the rest of it and opens the"
                        + " buckets at the new place. Then start the services with its address. Positions in feeds, CAS and"
                        + " ETags stay valid. Without names all buckets move. After a failure or a crash, ask again.");
        body(
                operation,
                content(
                        Describe.JSON,
                        ref("MoveSettings"),
                        Map.of("redis", "redis://redis-2:6379", "buckets", List.of("orders"))),
                true);
        answers(operation, 202, "It goes on", content(Describe.JSON, ref("Move"), EXAMPLE));
        return refusals(
                operation,
                ApiError.INVALID_JSON,
                ApiError.INVALID_BODY,
                ApiError.BUCKET_NOT_FOUND,
                ApiError.BUCKET_EXISTS,
                ApiError.MOVE_RUNNING,
                ApiError.MOVE_IMPOSSIBLE,
                ApiError.UNAVAILABLE);
    }

    static Operation state() {
        Operation operation = operation(
                "getMove",
                BucketDescriptions.TAG,
                "How far the latest move is",
                "Every instance of the service knows.");
        answers(operation, 200, "The latest move", content(Describe.JSON, ref("Move"), EXAMPLE));
        return refusals(operation, ApiError.MOVE_NOT_FOUND, ApiError.UNAVAILABLE);
    }

    static Operation end() {
        Operation operation = operation(
                "endMove",
                BucketDescriptions.TAG,
                "Stop a move, or give one up that failed",
                "Buckets that have moved stay at the new place, all others are written at the old one as before. A move that"
                        + " goes on ends soon; ask how far it is.");
        parameters(operation, "force");
        answers(operation, 200, "As it is now", content(Describe.JSON, ref("Move"), EXAMPLE));
        return refusals(operation, ApiError.MOVE_NOT_FOUND, ApiError.MOVE_IMPOSSIBLE, ApiError.UNAVAILABLE);
    }

    static void addSchemas(Components components) {
        components.addSchemas(
                "MoveSettings",
                type("object")
                        .addProperty("redis", type("string").description("The new place: redis:// or rediss://"))
                        .addProperty("buckets", arrayOf(type("string")).description("None for all")));
        Schema<?> bucket = type("object")
                .addProperty("bucket", type("string"))
                .addProperty("moved", type("boolean"))
                .addProperty("rows", type("integer").description("Copied; what changed meanwhile counts again"))
                .addProperty("total", type("integer").description("How many there were at the beginning"))
                .addProperty("fenced_millis", type("integer").description("For how long writers were refused"));
        components.addSchemas(
                "Move",
                type("object")
                        .addProperty("id", type("string"))
                        .addProperty(
                                "phase",
                                type("string").description("copying, finishing, moved, failed, stopped, interrupted"))
                        .addProperty("redis", type("string").description("Host and port of the new place"))
                        .addProperty("started_at", type("string"))
                        .addProperty("buckets", arrayOf(bucket))
                        .addProperty("error", type("string").description("Why it failed, and what to do")));
    }
}
