package io.millrace.eventing.functions;

import io.millrace.eventing.definition.DefinitionReader;
import io.millrace.eventing.definition.DefinitionWriter;
import io.millrace.eventing.definition.DefinitionWriter.Secrets;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionOwner;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.FunctionState.Deployed;
import io.millrace.eventing.functions.FunctionState.Deploying;
import io.millrace.eventing.functions.FunctionState.Paused;
import io.millrace.eventing.functions.FunctionState.Pausing;
import io.millrace.eventing.functions.FunctionState.Resuming;
import io.millrace.eventing.functions.FunctionState.Starting;
import io.millrace.eventing.functions.FunctionState.Undeployed;
import io.millrace.eventing.functions.FunctionState.Undeploying;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A function as MetaKV keeps it: its definition and its wanted state.
 *
 * @param owner the user with whose rights it runs, or null for the administrator
 */
record StoredFunction(
        FunctionDefinition definition,
        FunctionState state,
        @Nullable FunctionOwner owner) {

    static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    FunctionName name() {
        return definition.name();
    }

    StoredFunction in(FunctionState newState) {
        return new StoredFunction(definition, newState, owner);
    }

    StoredFunction with(FunctionDefinition newDefinition) {
        return new StoredFunction(newDefinition, state, owner);
    }

    StoredFunction ownedBy(@Nullable FunctionOwner newOwner) {
        return new StoredFunction(definition, state, newOwner);
    }

    byte[] toBytes() {
        ObjectNode json = JSON.createObjectNode();
        json.set("definition", DefinitionWriter.definition(definition, state.flags(), Secrets.NAMED));
        json.put("state", state.label());
        json.put("since", state.since().toString());
        if (state instanceof Resuming resuming) {
            json.put("pausedSince", resuming.pausedSince().toString());
        }
        if (state instanceof Starting starting && starting.node() != null) {
            json.put("node", starting.node());
        }
        Failure failure = state.failure();
        if (failure != null) {
            json.set("failure", failure(failure));
        }
        if (owner != null) {
            ObjectNode by = json.putObject("owner");
            by.put("user", owner.name()).put("domain", owner.external() ? "external" : "local");
            owner.roles().forEach(by.putArray("roles")::add);
        }
        return JSON.writeValueAsBytes(json);
    }

    static ObjectNode failure(Failure failure) {
        return JSON.createObjectNode()
                .put("message", failure.message())
                .put("line", failure.line())
                .put("column", failure.column())
                .put("at", failure.at().toString());
    }

    /** Reads what {@link #toBytes} wrote; fails with IllegalArgumentException on anything else. */
    static StoredFunction fromBytes(byte[] bytes) {
        try {
            JsonNode json = JSON.readTree(bytes);
            FunctionDefinition definition = DefinitionReader.read(json.path("definition"), null, Integer.MAX_VALUE)
                    .definition();
            Instant since = Instant.parse(json.path("since").asString());
            Instant pausedSince = json.has("pausedSince")
                    ? Instant.parse(json.path("pausedSince").asString())
                    : since;
            FunctionState state =
                    state(json.path("state").asString(), since, pausedSince, readFailure(json.path("failure")));
            boolean begun = state instanceof Starting && json.has("node");
            return new StoredFunction(
                    definition,
                    begun ? ((Starting) state).by(json.path("node").asString()) : state,
                    readOwner(json.path("owner")));
        } catch (JacksonException | FunctionsException | java.time.DateTimeException unreadable) {
            throw new IllegalArgumentException(
                    "The entry is not a stored function: " + unreadable.getMessage(), unreadable);
        }
    }

    private static FunctionState state(String label, Instant since, Instant pausedSince, @Nullable Failure failure) {
        return switch (label) {
            case "undeployed" -> new Undeployed(since, failure);
            case "deploying" -> new Deploying(since, null);
            case "deployed" -> new Deployed(since);
            case "pausing" -> new Pausing(since, failure);
            case "paused" -> new Paused(since, failure);
            case "resuming" -> new Resuming(since, pausedSince, null);
            case "undeploying" -> new Undeploying(since, failure);
            default -> throw new IllegalArgumentException("Unknown state '" + label + "'.");
        };
    }

    private static @Nullable FunctionOwner readOwner(JsonNode json) {
        return json.isObject()
                ? new FunctionOwner(
                        json.path("user").asString(),
                        json.path("domain").asString().equals("external"),
                        json.path("roles").valueStream().map(JsonNode::asString).toList())
                : null;
    }

    private static @Nullable Failure readFailure(JsonNode json) {
        return json.isObject()
                ? new Failure(
                        json.path("message").asString(),
                        json.path("line").asInt(),
                        json.path("column").asInt(),
                        Instant.parse(json.path("at").asString()))
                : null;
    }
}
