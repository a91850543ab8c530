package io.millrace.eventing.functions;

import io.millrace.access.Subject;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.definition.CodeCheck;
import io.millrace.eventing.definition.CodeLimit;
import io.millrace.eventing.definition.DefinitionReader;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.versions.Author;
import io.millrace.eventing.versions.Version;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Finds the dead letters of a function by its name, and prepares drafts and versions of it for trials. */
public final class FunctionLetters {

    private final FunctionStore store;
    private final ConfigStore config;
    private final CodeCheck codeCheck;
    private final BindingSecrets secrets;
    private final OwnerRights rights;
    private final Versions versions;

    FunctionLetters(
            FunctionStore store,
            ConfigStore config,
            CodeCheck codeCheck,
            BindingSecrets secrets,
            OwnerRights rights,
            Versions versions) {
        this.store = store;
        this.config = config;
        this.codeCheck = codeCheck;
        this.secrets = secrets;
        this.rights = rights;
        this.versions = versions;
    }

    /** Returns the group of a function's dead letters; fails with ERR_APP_NOT_FOUND_TS for an unknown name. */
    public CheckpointGroup group(FunctionName name) {
        return SpecFactory.spec(function(name).definition()).checkpoints();
    }

    /** Returns whether a function handles messages of a channel, which can be read once; fails like {@link #group}. */
    public boolean ofChannel(FunctionName name) {
        return SpecFactory.spec(function(name).definition()).source().channel();
    }

    /** Returns whether a subject may see the documents, events or messages that a function handles; fails like {@link #group}. */
    public boolean showsSource(FunctionName name, Subject asker) {
        return OwnerRights.readsSource(function(name).definition().deployment(), asker);
    }

    /** Returns whether a subject may see the contexts of a function's timers; fails like {@link #group}. */
    public boolean showsContexts(FunctionName name, Subject asker) {
        return OwnerRights.readsMetadata(function(name).definition().deployment(), asker);
    }

    /**
     * Returns the function with other code, which is not stored, to handle dead letters in earnest: the code reads its secrets.
     * Fails like saving the code when it cannot run, or when the asker may not. Blocks.
     */
    public FunctionSpec replaying(FunctionName name, String code, Subject asker) {
        StoredFunction draft = withCode(name, code);
        rights.require(draft.definition(), asker);
        return SpecFactory.spec(draft, 0, secrets, rights.roles(asker), codeCheck);
    }

    /** Returns the function with other code, to show what it would do; fails like {@link #replaying}. Blocks. */
    public FunctionSpec draft(FunctionName name, String code, Subject asker) {
        return forTrial(withCode(name, code), 0, asker);
    }

    private StoredFunction withCode(FunctionName name, String code) {
        DefinitionReader.code(code, CodeLimit.of(config.current()));
        StoredFunction saved = function(name);
        FunctionDefinition draft = saved.definition().withCode(code);
        requireValidCode(draft);
        return saved.with(draft);
    }

    private void requireValidCode(FunctionDefinition draft) {
        List<CodeCheck.Mistake> mistakes = codeCheck.check(draft);
        if (!mistakes.isEmpty()) {
            throw FunctionsException.doesNotCompile(mistakes);
        }
    }

    /**
     * Returns the function with another definition, which is not stored; fails like saving it when it cannot run, or when the
     * asker may not have these bindings. They have no passwords and keys: a trial sends nothing. The function itself need not be
     * saved yet. Blocks.
     */
    public FunctionSpec draft(FunctionName name, JsonNode definition, Subject asker) {
        FunctionDefinition posted = DefinitionReader.read(definition, name, CodeLimit.of(config.current()))
                .definition();
        StoredFunction saved = store.find(name).orElseGet(() -> unsaved(posted, asker));
        FunctionDefinition before = saved.definition();
        FunctionDefinition draft = BindingSecrets.without(posted).withIds(before.handlerUuid(), before.instanceId());
        requireValidCode(draft);
        return forTrial(saved.with(draft), 0, asker);
    }

    /** Returns the function as it is saved; fails when the asker may not save it. */
    public FunctionSpec saved(FunctionName name, Subject asker) {
        StoredFunction saved = function(name);
        return forTrial(saved, saved.version().number(), asker);
    }

    /** Returns a version of the function, or nothing if it is not kept; fails when the asker may not save it. Blocks. */
    public Optional<FunctionSpec> version(FunctionName name, long number, Subject asker) {
        return versions.version(name, number).map(version -> forTrial(version, number, asker));
    }

    /** Who tries code chooses what it does and sees what it reads: that takes the rights of the asker, not of the owner. */
    private FunctionSpec forTrial(StoredFunction function, long version, Subject asker) {
        rights.require(function.definition(), asker);
        return SpecFactory.trial(function, version, secrets, rights.roles(asker), codeCheck);
    }

    private static StoredFunction unsaved(FunctionDefinition definition, Subject asker) {
        return new StoredFunction(
                definition.withIds(FunctionDefinition.newHandlerUuid(), FunctionDefinition.newInstanceId()),
                new FunctionState.Undeployed(Instant.EPOCH, null),
                OwnerRights.ownerOf(asker),
                Version.first(Author.of(asker), Instant.EPOCH),
                null);
    }

    private StoredFunction function(FunctionName name) {
        return store.find(name).orElseThrow(() -> FunctionsException.notFound(name));
    }
}
