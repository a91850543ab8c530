package io.millrace.eventing.functions;

import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.definition.CodeCheck;
import io.millrace.eventing.definition.CodeLimit;
import io.millrace.eventing.definition.DefinitionReader;
import io.millrace.eventing.definition.DefinitionWriter;
import io.millrace.eventing.definition.DefinitionWriter.Secrets;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionGraph;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.LifecycleFlags;
import io.millrace.eventing.definition.Settings;
import io.millrace.eventing.functions.FunctionState.Undeployed;
import io.millrace.eventing.versions.Author;
import io.millrace.eventing.versions.DefinitionDiff;
import io.millrace.eventing.versions.Staged;
import io.millrace.eventing.versions.Version;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
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

    /**
     * Returns every definition, or only those of a function scope if one is given.
     *
     * @param shown which functions are wanted
     */
    public ArrayNode all(@Nullable String bucket, @Nullable String scope, Predicate<FunctionName> shown) {
        ArrayNode all = StoredFunction.JSON.createArrayNode();
        store.all().stream()
                .filter(function -> bucket == null || function.name().bucket().equals(bucket))
                .filter(function -> scope == null || function.name().scope().equals(scope))
                .filter(function -> shown.test(function.name()))
                .forEach(function -> all.add(shown(function)));
        return all;
    }

    /** Returns which of the functions that are wanted wake which others of them. */
    public FunctionGraph graph(Predicate<FunctionName> shown) {
        List<FunctionDefinition> wanted = store.all().stream()
                .filter(function -> shown.test(function.name()))
                .map(StoredFunction::definition)
                .toList();
        return FunctionGraph.of(wanted, codeCheck::named);
    }

    /** Returns which deployed functions of those that are wanted a function, in its newest version, wakes or is woken by. */
    public FunctionGraph.Neighbours neighbours(FunctionName name, Predicate<FunctionName> shown) {
        Optional<StoredFunction> stored = store.find(name);
        if (stored.isEmpty()) {
            return FunctionGraph.Neighbours.NONE;
        }
        Staged staged = stored.get().staged();
        List<FunctionDefinition> deployed = store.all().stream()
                .filter(other -> other.state().flags().deployment() && shown.test(other.name()))
                .map(StoredFunction::definition)
                .toList();
        return FunctionGraph.neighbours(
                staged == null ? stored.get().definition() : staged.definition(), deployed, codeCheck::named);
    }

    /** Returns the settings of a function; nothing when it does not exist. Reads memory only. */
    public Optional<Settings> settingsOf(FunctionName name) {
        return store.find(name).map(function -> function.definition().settings());
    }

    /** Returns whether a function is to run. Reads memory only. */
    public boolean isDeployed(FunctionName name) {
        return store.find(name)
                .filter(found -> found.state().flags() == LifecycleFlags.DEPLOY)
                .isPresent();
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

    /** Returns the version that the definition of a function is. */
    public Version version(FunctionName name) {
        return find(name).version();
    }

    /**
     * Creates or replaces a function. Lifecycle flags in its settings request a transition to that state.
     *
     * @param addressed the name in the request's path, or null
     * @param author becomes the owner, unless code and bindings remain as they are
     * @param restart whether a function that is deployed may pause and resume in order to run what is saved
     * @return warnings about ignored fields and unusual settings
     */
    public List<String> save(JsonNode body, @Nullable FunctionName addressed, boolean restart, Author author) {
        return save(read(body, addressed), restart ? Mode.RESTART : Mode.PLAIN, author);
    }

    /**
     * Creates or replaces a function and deploys it. One that is deployed takes what is saved: without a pause where that is
     * possible, otherwise it pauses and resumes; when nothing has changed it refuses, as it does to be deployed again.
     *
     * @return the function's new state
     */
    public String deploy(JsonNode body, FunctionName addressed, Author author) {
        DefinitionReader.Read read = read(body, addressed);
        Optional<StoredFunction> before = store.find(addressed);
        save(
                new DefinitionReader.Read(read.definition(), LifecycleFlags.DEPLOY, read.warnings()),
                Mode.RESTART,
                author);
        StoredFunction after = find(addressed);
        if (before.isPresent() && before.get().equals(after)) {
            return lifecycle.deploy(addressed);
        }
        return after.state().label();
    }

    /**
     * Saves a definition of a function that is deployed, which takes it without a pause; one that would need a pause is refused.
     *
     * @return warnings about ignored fields and unusual settings
     */
    public List<String> swap(JsonNode body, FunctionName addressed, Author author) {
        existing(addressed, store.find(addressed).orElse(null));
        return save(read(body, addressed), Mode.SWAP, author);
    }

    /** How a definition is saved. */
    private enum Mode {
        PLAIN,
        /** A function that is deployed takes it without a pause, or refuses it. */
        SWAP,
        /** A function that is deployed pauses and resumes. */
        RESTART,
        /** Without the lifecycle flags of the definition, and over undeployed functions only. */
        IMPORT
    }

    /** Returns what saving a definition would change. */
    public DefinitionDiff compare(JsonNode body, FunctionName addressed) {
        FunctionDefinition posted = read(body, addressed).definition();
        FunctionDefinition before = find(addressed).definition();
        return new DefinitionDiff(
                before, posted.withDeployment(posted.deployment().withSecretsOf(before.deployment())));
    }

    /**
     * Saves a former version of a function as its newest one.
     *
     * @param restart whether a function that is deployed pauses and resumes; otherwise it refuses other code and bindings
     * @return the function's new version
     */
    public Version restore(FunctionName name, StoredFunction former, boolean restart, Author author) {
        FunctionDefinition before = find(name).definition();
        FunctionDefinition after =
                secrets.restored(former.definition(), before).withIds(before.handlerUuid(), before.instanceId());
        lifecycle.requireClusters(after);
        requireValidCode(after);
        Author noting =
                author.noting("Rolled back to version " + former.version().number());
        StoredFunction restored = store.change(
                name,
                function -> changed(existing(name, function), after, restart ? Mode.RESTART : Mode.PLAIN, noting));
        Objects.requireNonNull(restored);
        secrets.forget(before, restored.staged() == null ? after : before);
        return restored.staged() == null
                ? restored.version()
                : restored.staged().version();
    }

    private DefinitionReader.Read read(JsonNode body, @Nullable FunctionName addressed) {
        return DefinitionReader.read(body, addressed, CodeLimit.of(config.current()));
    }

    private List<String> save(DefinitionReader.Read read, Mode mode, Author author) {
        LifecycleFlags requested = mode == Mode.IMPORT ? null : read.requested();
        rights.require(read.definition(), author.subject());
        lifecycle.requireClusters(read.definition());
        requireValidCode(read.definition());
        FunctionName name = read.definition().name();
        FunctionDefinition before =
                store.find(name).map(StoredFunction::definition).orElse(null);
        FunctionDefinition posted = secrets.sealed(read.definition(), before);
        FunctionDefinition after = before;
        try {
            after = saved(posted, requested, mode, author);
        } finally {
            secrets.forget(after == before ? posted : before, after);
        }
        return read.warnings();
    }

    /** Returns what the function has to keep: the definition that it had, while another one waits for its pause. */
    private FunctionDefinition saved(
            FunctionDefinition posted, @Nullable LifecycleFlags requested, Mode mode, Author author) {
        StoredFunction saved = store.change(posted.name(), old -> {
            if (mode == Mode.IMPORT && old != null && !(old.state() instanceof Undeployed)) {
                throw FunctionsException.of(
                        ErrorCode.ERR_APP_NOT_UNDEPLOYED,
                        "Function: %s exists and is %s; undeploy it before importing over it."
                                .formatted(old.name(), old.state().label()));
            }
            StoredFunction next = old == null
                    ? created(posted, author)
                    : replaced(old, posted, requested == LifecycleFlags.PAUSE, mode, author);
            return next.staged() == null ? lifecycle.requested(next, requested) : next;
        });
        return Objects.requireNonNull(saved).definition();
    }

    private StoredFunction created(FunctionDefinition definition, Author author) {
        return new StoredFunction(
                definition.withIds(FunctionDefinition.newHandlerUuid(), FunctionDefinition.newInstanceId()),
                new Undeployed(clock.instant(), null),
                OwnerRights.ownerOf(author.subject()),
                Version.first(author, clock.instant()),
                null);
    }

    /** @param pausing whether the function is about to be paused, which allows the changes of that state */
    private StoredFunction replaced(
            StoredFunction old, FunctionDefinition posted, boolean pausing, Mode mode, Author author) {
        FunctionDefinition before = old.definition();
        FunctionDefinition after = posted.withDeployment(posted.deployment().withSecretsOf(before.deployment()))
                .withIds(before.handlerUuid(), before.instanceId());
        if (pausing) {
            Edits.check(old, after, true);
            return edited(old, after, author);
        }
        return changed(old, after, mode, author);
    }

    private StoredFunction changed(StoredFunction old, FunctionDefinition after, Mode mode, Author author) {
        boolean taken = (mode == Mode.RESTART || mode == Mode.SWAP) && Edits.needsPause(old, after);
        Edits.check(old, after, taken);
        StoredFunction next = edited(old, after, author);
        if (mode == Mode.SWAP) {
            Edits.requireNoPause(old, next);
        }
        return taken || Edits.changesEnv(old, after) ? lifecycle.restarting(old, next) : next;
    }

    private StoredFunction edited(StoredFunction old, FunctionDefinition after, Author author) {
        return rights.saved(old, old.saved(after, author, clock.instant()), author.subject());
    }

    private void requireValidCode(FunctionDefinition definition) {
        List<CodeCheck.Mistake> mistakes = codeCheck.check(definition);
        if (!mistakes.isEmpty()) {
            throw FunctionsException.doesNotCompile(mistakes);
        }
    }

    /** Creates or replaces several functions; one that is refused does not affect the others. */
    public List<Result> saveAll(JsonNode body, Author author) {
        return each(body, Mode.PLAIN, author);
    }

    /** Like {@link #saveAll}, but functions are stored as undeployed, and only undeployed functions are replaced. */
    public List<Result> importAll(JsonNode body, Author author) {
        return each(body, Mode.IMPORT, author);
    }

    private List<Result> each(JsonNode body, Mode mode, Author author) {
        List<JsonNode> definitions = body.isObject() ? List.of(body) : elements(body);
        List<Result> results = new ArrayList<>();
        Set<FunctionName> saved = new HashSet<>();
        for (JsonNode json : definitions) {
            String name = json.path("appname").asString("");
            try {
                requireFirst(json, saved);
                results.add(new Result(name, save(read(json, null), mode, author), null));
            } catch (FunctionsException refused) {
                results.add(new Result(name, List.of(), refused));
            }
        }
        return results;
    }

    private static void requireFirst(JsonNode json, Set<FunctionName> before) {
        JsonNode scope = json.path("function_scope");
        FunctionName name = FunctionName.of(
                scope.path("bucket").asString(""),
                scope.path("scope").asString(""),
                json.path("appname").asString(""));
        if (!before.add(name)) {
            throw FunctionsException.invalidRequest(
                    "Function: %s is in the request more than once; send each function once.".formatted(name));
        }
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
    public void changeSettings(FunctionName name, JsonNode changes, Author author) {
        LifecycleFlags requested = LifecycleFlags.in(changes);
        store.change(name, function -> {
            StoredFunction old = existing(name, function);
            FunctionDefinition after =
                    old.definition().withSettings(old.definition().settings().merge(changes));
            if (!after.equals(old.definition())) {
                Edits.check(old, after, requested == LifecycleFlags.PAUSE);
                requireValidCode(after);
            }
            StoredFunction next = edited(old, after, author);
            boolean stays = requested == null || requested == old.state().flags();
            return stays && Edits.changesEnv(old, after)
                    ? lifecycle.restarting(old, next)
                    : lifecycle.requested(next, requested);
        });
    }

    public ObjectNode deployment(FunctionName name) {
        return DefinitionWriter.deployment(find(name).definition().deployment(), Secrets.MASKED);
    }

    /** Replaces {@code depcfg}. */
    public void changeDeployment(FunctionName name, JsonNode depcfg, Author author) {
        if (!depcfg.isObject()) {
            throw FunctionsException.malformed("The configuration of a function must be a JSON object.");
        }
        FunctionDefinition before = find(name).definition();
        FunctionDefinition read = before.withDeployment(DefinitionReader.deployment(depcfg));
        lifecycle.requireKeyspaces(read);
        lifecycle.requireClusters(read);
        FunctionDefinition posted = secrets.sealed(read, before);
        FunctionDefinition after = before;
        try {
            after = edit(name, old -> old.withDeployment(posted.deployment().withSecretsOf(old.deployment())), author);
        } finally {
            secrets.forget(after == before ? posted : before, after);
        }
    }

    public String code(FunctionName name) {
        return find(name).definition().code();
    }

    public void changeCode(FunctionName name, String code, Author author) {
        DefinitionReader.code(code, CodeLimit.of(config.current()));
        edit(
                name,
                old -> {
                    FunctionDefinition after = old.withCode(code);
                    requireValidCode(after);
                    return after;
                },
                author);
    }

    /** Returns what is wrong with code that could take the place of a function's; nothing if it can be saved. Blocks. */
    public List<CodeCheck.Mistake> mistakes(FunctionName name, String code) {
        DefinitionReader.code(code, CodeLimit.of(config.current()));
        return codeCheck.check(find(name).definition().withCode(code));
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

    private FunctionDefinition edit(FunctionName name, UnaryOperator<FunctionDefinition> change, Author author) {
        StoredFunction edited = store.change(name, function -> {
            StoredFunction old = existing(name, function);
            FunctionDefinition after = change.apply(old.definition());
            Edits.check(old, after, false);
            return edited(old, after, author);
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
