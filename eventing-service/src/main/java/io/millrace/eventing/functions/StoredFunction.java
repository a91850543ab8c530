package io.millrace.eventing.functions;

import io.millrace.eventing.definition.CodeLimit;
import io.millrace.eventing.definition.DefinitionReader;
import io.millrace.eventing.definition.DefinitionWriter;
import io.millrace.eventing.definition.DefinitionWriter.Secrets;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.FunctionState.Deployed;
import io.millrace.eventing.functions.FunctionState.Deploying;
import io.millrace.eventing.functions.FunctionState.Failure;
import io.millrace.eventing.functions.FunctionState.Paused;
import io.millrace.eventing.functions.FunctionState.Pausing;
import io.millrace.eventing.functions.FunctionState.Resuming;
import io.millrace.eventing.functions.FunctionState.Starting;
import io.millrace.eventing.functions.FunctionState.Undeployed;
import io.millrace.eventing.functions.FunctionState.Undeploying;
import io.millrace.eventing.versions.Author;
import io.millrace.eventing.versions.Canary;
import io.millrace.eventing.versions.CanaryJson;
import io.millrace.eventing.versions.DefinitionDiff;
import io.millrace.eventing.versions.FunctionOwner;
import io.millrace.eventing.versions.Staged;
import io.millrace.eventing.versions.Version;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A function as MetaKV keeps it: its definition and its wanted state. MetaKV keeps former forms of it as well, which are the
 * versions of the function.
 *
 * @param owner the user with whose rights it runs, or null for the administrator
 * @param version the version that the definition is
 * @param staged what takes its place when the function has paused, or while it is deployed, or null
 * @param canary the version that handles some of the changes, or has last done so, or null
 */
record StoredFunction(
        FunctionDefinition definition,
        FunctionState state,
        @Nullable FunctionOwner owner,
        Version version,
        @Nullable Staged staged,
        @Nullable Canary canary) {

    static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** A function that never had a canary. */
    StoredFunction(
            FunctionDefinition definition,
            FunctionState state,
            @Nullable FunctionOwner owner,
            Version version,
            @Nullable Staged staged) {
        this(definition, state, owner, version, staged, null);
    }

    FunctionName name() {
        return definition.name();
    }

    StoredFunction in(FunctionState newState) {
        boolean leaves = hasCanary() && !(newState instanceof Deployed);
        StoredFunction left = leaves
                ? endingCanary(Canary.Outcome.ROLLED_BACK, "The function is " + newState.label(), newState.since())
                : this;
        return new StoredFunction(definition, newState, owner, version, staged, left.canary);
    }

    StoredFunction with(FunctionDefinition newDefinition) {
        return new StoredFunction(newDefinition, state, owner, version, staged, canary);
    }

    StoredFunction ownedBy(@Nullable FunctionOwner newOwner) {
        return new StoredFunction(definition, state, newOwner, version, staged, canary);
    }

    /** Returns the function with a definition that was saved: another version, unless it is the same. */
    StoredFunction saved(FunctionDefinition after, Author author, Instant now) {
        if (new DefinitionDiff(definition, after).none()) {
            return with(after);
        }
        if (hasCanary()) {
            throw FunctionsException.invalidRequest(
                    "Function: %s has a canary; promote it or roll it back before saving another version."
                            .formatted(name()));
        }
        long last = canary == null
                ? version.number()
                : Math.max(version.number(), canary.next().version().number());
        return new StoredFunction(after, state, owner, version.numbered(last).next(author, now), null, canary);
    }

    /** Returns the deployed function with another as what is to take its place without a pause. */
    StoredFunction swapping(StoredFunction next) {
        return new StoredFunction(
                definition,
                new Deployed(state.since()),
                owner,
                version,
                new Staged(next.definition, next.version, next.owner),
                canary);
    }

    /** Returns the definitions that run or are about to run: its own, the staged one, and that of a canary. */
    Stream<FunctionDefinition> definitions() {
        Stream<FunctionDefinition> next = Stream.ofNullable(staged).map(Staged::definition);
        Stream<FunctionDefinition> tried = Stream.ofNullable(canary)
                .filter(Canary::running)
                .map(running -> running.next().definition());
        return Stream.concat(Stream.of(definition), Stream.concat(next, tried));
    }

    /** Returns the function with the staged version in its place. */
    StoredFunction swapped() {
        Staged next = Objects.requireNonNull(staged);
        return new StoredFunction(
                next.definition().withIds(definition.handlerUuid(), definition.instanceId()),
                state,
                next.owner(),
                next.version(),
                null,
                canary);
    }

    boolean hasCanary() {
        return canary != null && canary.running();
    }

    StoredFunction with(Canary begun) {
        return new StoredFunction(definition, state, owner, version, staged, begun);
    }

    /** Returns the function as it is when its canary handles all changes. */
    StoredFunction withCanaryInPlace() {
        Staged next = Objects.requireNonNull(canary).next();
        return new StoredFunction(
                next.definition().withIds(definition.handlerUuid(), definition.instanceId()),
                state,
                next.owner(),
                next.version(),
                null,
                canary);
    }

    StoredFunction endingCanary(Canary.Outcome outcome, String reason, Instant now) {
        Canary running = Objects.requireNonNull(canary);
        return new StoredFunction(definition, state, owner, version, staged, running.ended(outcome, reason, now));
    }

    /** Returns the function with its canary in place of the version that it runs. */
    StoredFunction promoted(String reason, Instant now) {
        return withCanaryInPlace().endingCanary(Canary.Outcome.PROMOTED, reason, now);
    }

    /** Returns the function as it was before a version was staged that cannot run. */
    StoredFunction refusing(Failure failure) {
        return new StoredFunction(definition, new Deployed(state.since(), failure), owner, version, null, canary);
    }

    StoredFunction withoutStaged() {
        return new StoredFunction(definition, state, owner, version, null, canary);
    }

    /** Returns the deployed function on its way to the definition, version and owner of another. */
    StoredFunction staging(StoredFunction next, FunctionState pausing) {
        return new StoredFunction(
                definition, pausing, owner, version, new Staged(next.definition, next.version, next.owner), canary);
    }

    /** Returns a function whose work has ended everywhere: paused, or about to run the staged version. */
    StoredFunction rested(Pausing from, Instant now) {
        return staged == null ? in(from.stopped(now)) : swapped().in(new Resuming(now, from.since(), null));
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
        write(json, owner, version);
        if (staged != null) {
            write(json.putObject("staged"), staged);
        }
        if (canary != null) {
            ObjectNode other = json.putObject("canary");
            write(other, canary.next());
            CanaryJson.write(other, canary);
        }
        return JSON.writeValueAsBytes(json);
    }

    private void write(ObjectNode json, Staged next) {
        json.set("definition", DefinitionWriter.definition(next.definition(), state.flags(), Secrets.NAMED));
        write(json, next.owner(), next.version());
    }

    private static void write(ObjectNode json, @Nullable FunctionOwner owner, Version version) {
        if (owner != null) {
            ObjectNode by = json.putObject("owner");
            by.put("user", owner.name()).put("domain", owner.external() ? "external" : "local");
            owner.roles().forEach(by.putArray("roles")::add);
        }
        json.putObject("version")
                .put("number", version.number())
                .put("time", version.time().toString())
                .put("author", version.author())
                .put("note", version.note());
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
            FunctionDefinition definition = readDefinition(json);
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
                    readOwner(json.path("owner")),
                    readVersion(json.path("version"), since),
                    readStaged(json.path("staged"), since),
                    readCanary(json.path("canary"), since));
        } catch (JacksonException | FunctionsException | java.time.DateTimeException unreadable) {
            throw new IllegalArgumentException(
                    "The entry is not a stored function: " + unreadable.getMessage(), unreadable);
        }
    }

    private static FunctionState state(String label, Instant since, Instant pausedSince, @Nullable Failure failure) {
        return switch (label) {
            case "undeployed" -> new Undeployed(since, failure);
            case "deploying" -> new Deploying(since, null);
            case "deployed" -> new Deployed(since, failure);
            case "pausing" -> new Pausing(since, failure);
            case "paused" -> new Paused(since, failure);
            case "resuming" -> new Resuming(since, pausedSince, null);
            case "undeploying" -> new Undeploying(since, failure);
            default -> throw new IllegalArgumentException("Unknown state '" + label + "'.");
        };
    }

    private static FunctionDefinition readDefinition(JsonNode json) {
        return DefinitionReader.read(json.path("definition"), null, CodeLimit.STORED)
                .definition();
    }

    /** @param since the time of a version that was stored before versions had numbers */
    private static Version readVersion(JsonNode json, Instant since) {
        return json.isObject()
                ? new Version(
                        json.path("number").asLong(),
                        Instant.parse(json.path("time").asString()),
                        json.path("author").asString(),
                        json.path("note").asString())
                : new Version(1, since, "", "");
    }

    private static @Nullable Staged readStaged(JsonNode json, Instant since) {
        return json.isObject()
                ? new Staged(
                        readDefinition(json), readVersion(json.path("version"), since), readOwner(json.path("owner")))
                : null;
    }

    private static @Nullable Canary readCanary(JsonNode json, Instant since) {
        Staged next = readStaged(json, since);
        return next == null ? null : CanaryJson.read(json, next);
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
