package io.millrace.eventing.functions;

import io.millrace.access.Subject;
import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.definition.CodeCheck;
import io.millrace.eventing.definition.DefinitionReader;
import io.millrace.eventing.definition.DefinitionWriter;
import io.millrace.eventing.definition.DefinitionWriter.Secrets;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionOwner;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.LifecycleFlags;
import io.millrace.eventing.definition.ServiceOption;
import io.millrace.eventing.functions.FunctionState.Undeployed;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates, reads, changes, deletes, imports and exports definitions of functions, in Couchbase's JSON. Methods block
 * and fail with {@link FunctionsException}; one that fails has changed nothing.
 */
public final class Definitions {

    /** The most functions in one request. */
    static final int MAX_FUNCTIONS_PER_REQUEST = 1000;

    private final FunctionStore store;
    private final ConfigStore config;
    private final CodeCheck codeCheck;
    private final Lifecycle lifecycle;
    private final BindingSecrets secrets;
    private final OwnerRights rights;
    private final InstantSource clock;

    Definitions(
            FunctionStore store,
            ConfigStore config,
            CodeCheck codeCheck,
            Lifecycle lifecycle,
            BindingSecrets secrets,
            OwnerRights rights,
            InstantSource clock) {
        this.store = store;
        this.config = config;
        this.codeCheck = codeCheck;
        this.lifecycle = lifecycle;
        this.secrets = secrets;
        this.rights = rights;
        this.clock = clock;
    }

    /**
     * The outcome of one of several functions.
     *
     * @param refused why it was refused, or null when it was stored
     */
    public record Result(
            String function,
            List<String> warnings,
            @Nullable FunctionsException refused) {}

    /** Returns every definition, or only those of a function scope if one is given. */
    public ArrayNode all(@Nullable String bucket, @Nullable String scope) {
        ArrayNode all = StoredFunction.JSON.createArrayNode();
        store.all().stream()
                .filter(function -> bucket == null || function.name().bucket().equals(bucket))
                .filter(function -> scope == null || function.name().scope().equals(scope))
                .forEach(function -> all.add(shown(function)));
        return all;
    }

    public ObjectNode get(FunctionName name) {
        return shown(find(name));
    }

    private static ObjectNode shown(StoredFunction function) {
        return DefinitionWriter.definition(
                function.definition(), function.state().flags(), Secrets.MASKED);
    }

    private StoredFunction find(FunctionName name) {
        return store.find(name).orElseThrow(() -> FunctionsException.notFound(name));
    }

    /**
     * Creates or replaces a function. Lifecycle flags in its settings request a transition to that state.
     *
     * @param addressed the name in the request's path, or null
     * @param asker becomes the owner, unless code and bindings remain as they are
     * @return warnings about ignored fields and unusual settings
     */
    public List<String> save(JsonNode body, @Nullable FunctionName addressed, Subject asker) {
        return save(read(body, addressed), false, asker);
    }

    private DefinitionReader.Read read(JsonNode body, @Nullable FunctionName addressed) {
        return DefinitionReader.read(body, addressed, (int) config.current().whole(ServiceOption.FUNCTION_SIZE));
    }

    private List<String> save(DefinitionReader.Read read, boolean importing, Subject asker) {
        LifecycleFlags requested = importing ? null : read.requested();
        rights.require(read.definition(), asker);
        requireValidCode(read.definition());
        FunctionName name = read.definition().name();
        FunctionDefinition before =
                store.find(name).map(StoredFunction::definition).orElse(null);
        FunctionDefinition posted = secrets.sealed(read.definition(), before);
        FunctionDefinition after = before;
        try {
            after = saved(posted, requested, importing, asker);
        } finally {
            secrets.forget(after == before ? posted : before, after);
        }
        return read.warnings();
    }

    private FunctionDefinition saved(
            FunctionDefinition posted, @Nullable LifecycleFlags requested, boolean importing, Subject asker) {
        StoredFunction saved = store.change(posted.name(), old -> {
            if (importing && old != null && !(old.state() instanceof Undeployed)) {
                throw FunctionsException.of(
                        ErrorCode.ERR_APP_NOT_UNDEPLOYED,
                        "Function: %s exists and is %s; undeploy it before importing over it."
                                .formatted(old.name(), old.state().label()));
            }
            StoredFunction next = old == null
                    ? created(posted, OwnerRights.ownerOf(asker))
                    : replaced(old, posted, requested == LifecycleFlags.PAUSE, asker);
            return lifecycle.requested(next, requested);
        });
        return Objects.requireNonNull(saved).definition();
    }

    private StoredFunction created(FunctionDefinition definition, @Nullable FunctionOwner owner) {
        return new StoredFunction(
                definition.withIds(FunctionDefinition.newHandlerUuid(), FunctionDefinition.newInstanceId()),
                new Undeployed(clock.instant(), null),
                owner);
    }

    /** @param pausing whether the function is about to be paused, which allows the changes of that state */
    private StoredFunction replaced(StoredFunction old, FunctionDefinition posted, boolean pausing, Subject asker) {
        FunctionDefinition before = old.definition();
        FunctionDefinition after = posted.withDeployment(posted.deployment().withSecretsOf(before.deployment()))
                .withIds(before.handlerUuid(), before.instanceId());
        Edits.check(old, after, pausing);
        return edited(old, after, asker);
    }

    /** Returns a function with another definition; who changes what it does becomes its owner, and must be allowed to. */
    private StoredFunction edited(StoredFunction old, FunctionDefinition after, Subject asker) {
        if (Edits.sameWork(old.definition(), after)) {
            return old.with(after);
        }
        rights.require(after, asker);
        return old.with(after).ownedBy(OwnerRights.ownerOf(asker));
    }

    private void requireValidCode(FunctionDefinition definition) {
        List<CodeCheck.Mistake> mistakes = codeCheck.check(definition);
        if (!mistakes.isEmpty()) {
            throw FunctionsException.doesNotCompile(mistakes);
        }
    }

    /** Creates or replaces several functions; one that is refused does not affect the others. */
    public List<Result> saveAll(JsonNode body, Subject asker) {
        return each(body, false, asker);
    }

    /** Like {@link #saveAll}, but functions are stored as undeployed, and only undeployed functions are replaced. */
    public List<Result> importAll(JsonNode body, Subject asker) {
        return each(body, true, asker);
    }

    private List<Result> each(JsonNode body, boolean importing, Subject asker) {
        List<JsonNode> definitions = body.isObject() ? List.of(body) : elements(body);
        List<Result> results = new ArrayList<>();
        for (JsonNode json : definitions) {
            String name = json.path("appname").asString("");
            try {
                results.add(new Result(name, save(read(json, null), importing, asker), null));
            } catch (FunctionsException refused) {
                results.add(new Result(name, List.of(), refused));
            }
        }
        return results;
    }

    private static List<JsonNode> elements(JsonNode body) {
        if (!body.isArray()) {
            throw FunctionsException.malformed("The body must be an array of function definitions.");
        }
        if (body.size() > MAX_FUNCTIONS_PER_REQUEST) {
            throw FunctionsException.invalidRequest("The request has %d functions, at most %d are allowed."
                    .formatted(body.size(), MAX_FUNCTIONS_PER_REQUEST));
        }
        return body.valueStream().toList();
    }

    /** Deletes an undeployed function and its log. @param handlerUuid the id that it must have, or null for any */
    public void delete(FunctionName name, @Nullable Long handlerUuid) {
        FunctionDefinition before =
                store.find(name).map(StoredFunction::definition).orElse(null);
        store.change(name, function -> {
            if (function == null
                    || (handlerUuid != null && function.definition().handlerUuid() != handlerUuid)) {
                throw FunctionsException.notFound(name);
            }
            if (!(function.state() instanceof Undeployed)) {
                throw FunctionsException.of(
                        ErrorCode.ERR_APP_NOT_UNDEPLOYED,
                        "Function: %s is %s; undeploy it before deleting it."
                                .formatted(name, function.state().label()));
            }
            return null;
        });
        secrets.forget(before, null);
    }

    /** Deletes every undeployed function. */
    public List<Result> deleteAll() {
        List<Result> results = new ArrayList<>();
        for (StoredFunction function : store.all()) {
            try {
                delete(function.name(), null);
                results.add(new Result(function.name().toString(), List.of(), null));
            } catch (FunctionsException refused) {
                results.add(new Result(function.name().toString(), List.of(), refused));
            }
        }
        return results;
    }

    public ObjectNode settings(FunctionName name) {
        StoredFunction function = find(name);
        return DefinitionWriter.settings(
                function.definition().settings(), function.state().flags());
    }

    /** Merges settings; a pair of lifecycle flags among them requests a transition to that state. */
    public void changeSettings(FunctionName name, JsonNode changes, Subject asker) {
        LifecycleFlags requested = LifecycleFlags.in(changes);
        store.change(name, function -> {
            StoredFunction old = existing(name, function);
            FunctionDefinition after =
                    old.definition().withSettings(old.definition().settings().merge(changes));
            if (!after.equals(old.definition())) {
                Edits.check(old, after, requested == LifecycleFlags.PAUSE);
                requireValidCode(after);
            }
            return lifecycle.requested(edited(old, after, asker), requested);
        });
    }

    public ObjectNode deployment(FunctionName name) {
        return DefinitionWriter.deployment(find(name).definition().deployment(), Secrets.MASKED);
    }

    /** Replaces {@code depcfg}. */
    public void changeDeployment(FunctionName name, JsonNode depcfg, Subject asker) {
        if (!depcfg.isObject()) {
            throw FunctionsException.malformed("The configuration of a function must be a JSON object.");
        }
        FunctionDefinition before = find(name).definition();
        FunctionDefinition posted = secrets.sealed(before.withDeployment(DefinitionReader.deployment(depcfg)), before);
        FunctionDefinition after = before;
        try {
            after = edit(name, old -> old.withDeployment(posted.deployment().withSecretsOf(old.deployment())), asker);
        } finally {
            secrets.forget(after == before ? posted : before, after);
        }
    }

    public String code(FunctionName name) {
        return find(name).definition().code();
    }

    public void changeCode(FunctionName name, String code, Subject asker) {
        DefinitionReader.code(code, (int) config.current().whole(ServiceOption.FUNCTION_SIZE));
        edit(
                name,
                old -> {
                    FunctionDefinition after = old.withCode(code);
                    requireValidCode(after);
                    return after;
                },
                asker);
    }

    /** Returns the SHA-256 of the code in UTF-8, as 64 hex digits. */
    public String checksum(FunctionName name) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(code(name).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    private FunctionDefinition edit(FunctionName name, UnaryOperator<FunctionDefinition> change, Subject asker) {
        StoredFunction edited = store.change(name, function -> {
            StoredFunction old = existing(name, function);
            FunctionDefinition after = change.apply(old.definition());
            Edits.check(old, after, false);
            return edited(old, after, asker);
        });
        return Objects.requireNonNull(edited).definition();
    }

    private static StoredFunction existing(FunctionName name, @Nullable StoredFunction function) {
        if (function == null) {
            throw FunctionsException.notFound(name);
        }
        return function;
    }
}
