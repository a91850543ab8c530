package io.millrace.eventing.functions;

import io.millrace.eventing.definition.CodeCheck;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.Setting;
import io.millrace.eventing.definition.Settings;
import io.millrace.eventing.functions.FunctionState.Deployed;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.versions.Author;
import io.millrace.eventing.versions.Canary;
import io.millrace.eventing.versions.CanaryJson;
import io.millrace.eventing.versions.Staged;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Canaries: a version of a deployed function that handles a share of the vbuckets before it handles all of them. Methods
 * block and fail with {@link FunctionsException}.
 */
public final class Canaries {

    private final FunctionStore store;
    private final Versions versions;
    private final CodeCheck codeCheck;
    private final DeployCheck check;
    private final OwnerRights rights;
    private final FunctionRuntime runtime;
    private final InstantSource clock;

    Canaries(
            FunctionStore store,
            Versions versions,
            CodeCheck codeCheck,
            DeployCheck check,
            OwnerRights rights,
            FunctionRuntime runtime,
            InstantSource clock) {
        this.store = store;
        this.versions = versions;
        this.codeCheck = codeCheck;
        this.check = check;
        this.rights = rights;
        this.runtime = runtime;
        this.clock = clock;
    }

    /**
     * Begins a canary: code and {@code env} of a {@code version}, or those in the body.
     *
     * @param body {@code version}, or {@code code} and {@code env}; {@code share}, {@code rule}
     */
    public ObjectNode start(FunctionName name, JsonNode body, Author author) {
        FunctionDefinition wanted = wanted(name, body);
        List<CodeCheck.Mistake> mistakes = codeCheck.check(wanted);
        if (!mistakes.isEmpty()) {
            throw FunctionsException.doesNotCompile(mistakes);
        }
        rights.require(wanted, author.subject());
        int vbuckets = CanaryJson.vbuckets(body.path("share"));
        var rule = CanaryJson.rule(body.path("rule"));
        StoredFunction begun = Objects.requireNonNull(store.change(name, function -> {
            StoredFunction old = existing(name, function);
            StoredFunction next = next(old, wanted, author);
            Staged staged = new Staged(next.definition(), next.version(), next.owner());
            return old.with(new Canary(staged, vbuckets, rule, clock.instant(), null));
        }));
        return shown(begun);
    }

    private FunctionDefinition wanted(FunctionName name, JsonNode body) {
        FunctionDefinition before =
                existing(name, store.find(name).orElse(null)).definition();
        JsonNode code = body.path("code");
        JsonNode version = body.path("version");
        if (code.isString() == version.isIntegralNumber()) {
            throw FunctionsException.invalidRequest(
                    "A canary needs either the member version, a number, or the member code, a string.");
        }
        if (version.isIntegralNumber()) {
            FunctionDefinition former = versions.version(name, version.asLong())
                    .orElseThrow(() -> FunctionsException.invalidRequest(
                            "Function: %s has no version %s, or it is not kept any more; list its versions."
                                    .formatted(name, version)))
                    .definition();
            return before.withCode(former.code()).withSettings(before.settings().withEnvOf(former.settings()));
        }
        Settings settings = before.settings();
        if (body.has("env")) {
            ObjectNode change = StoredFunction.JSON.createObjectNode();
            change.set(Setting.ENV.jsonName(), body.path("env"));
            settings = settings.merge(change);
        }
        return before.withCode(code.stringValue()).withSettings(settings);
    }

    /** Returns the function as it would be with the canary in its place; fails when it cannot have it. */
    private StoredFunction next(StoredFunction old, FunctionDefinition wanted, Author author) {
        if (!(old.state() instanceof Deployed) || old.staged() != null) {
            throw FunctionsException.invalidRequest(
                    "Function: %s is not deployed, or is taking another version; deploy it and wait until it is deployed."
                            .formatted(old.name()));
        }
        FunctionDefinition after =
                wanted.withIds(old.definition().handlerUuid(), old.definition().instanceId());
        StoredFunction next = old.saved(after, author, clock.instant()).ownedBy(OwnerRights.ownerOf(author.subject()));
        if (next.version().equals(old.version())) {
            throw FunctionsException.invalidRequest(
                    "Function: %s runs this code with this env already; a canary has to differ.".formatted(old.name()));
        }
        if (!Edits.swappable(old, next)) {
            throw FunctionsException.invalidRequest(
                    "Function: %s cannot have this canary: it must have the owner of the function, and no OnDeploy."
                            .formatted(old.name()));
        }
        check.check(next, store.all());
        return next;
    }

    private static StoredFunction existing(FunctionName name, @Nullable StoredFunction function) {
        if (function == null) {
            throw FunctionsException.notFound(name);
        }
        return function;
    }

    /** Returns the version that handles a share of the changes, if there is one. Reads memory only. */
    public Optional<Staged> running(FunctionName name) {
        return store.find(name)
                .map(StoredFunction::canary)
                .filter(Canary::running)
                .map(Canary::next);
    }

    /** Returns the canary, or the last one, with what both versions have done on this node. */
    public ObjectNode status(FunctionName name) {
        StoredFunction function = existing(name, store.find(name).orElse(null));
        if (function.canary() == null) {
            throw none(name);
        }
        return shown(function);
    }

    private ObjectNode shown(StoredFunction function) {
        Canary canary = Objects.requireNonNull(function.canary());
        return CanaryJson.shown(
                canary,
                function.version().number(),
                canary.running()
                        ? runtime.canaryReport(function.name().toString()).orElse(null)
                        : null);
    }

    /** Has the canary handle all vbuckets. */
    public ObjectNode promote(FunctionName name, Author author) {
        return end(name, function -> function.promoted(said("Promoted", author), clock.instant()));
    }

    /** Has the other version handle all vbuckets again. */
    public ObjectNode rollBack(FunctionName name, Author author) {
        return end(
                name,
                function -> function.endingCanary(
                        Canary.Outcome.ROLLED_BACK, said("Rolled back", author), clock.instant()));
    }

    private ObjectNode end(FunctionName name, UnaryOperator<StoredFunction> change) {
        return shown(Objects.requireNonNull(store.change(name, function -> {
            StoredFunction old = existing(name, function);
            if (!old.hasCanary()) {
                throw none(name);
            }
            return change.apply(old);
        })));
    }

    private static String said(String what, Author author) {
        return "%s by %s%s"
                .formatted(what, author.subject().name(), author.note().isEmpty() ? "" : ": " + author.note());
    }

    private static FunctionsException none(FunctionName name) {
        return FunctionsException.invalidRequest(
                "Function: %s has no canary; begin one with POST /api/v1/functions/%s/canary."
                        .formatted(name, name.name()));
    }
}
