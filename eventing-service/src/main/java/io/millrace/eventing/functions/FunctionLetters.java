package io.millrace.eventing.functions;

import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.definition.CodeCheck;
import io.millrace.eventing.definition.DefinitionReader;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.ServiceOption;
import io.millrace.eventing.runtime.FunctionSpec;
import java.util.List;

/** Finds the dead letters of a function by its name, and prepares drafts of its code. */
public final class FunctionLetters {

    private final FunctionStore store;
    private final ConfigStore config;
    private final CodeCheck codeCheck;
    private final BindingSecrets secrets;

    FunctionLetters(FunctionStore store, ConfigStore config, CodeCheck codeCheck, BindingSecrets secrets) {
        this.store = store;
        this.config = config;
        this.codeCheck = codeCheck;
        this.secrets = secrets;
    }

    /** Returns the group of a function's dead letters; fails with ERR_APP_NOT_FOUND_TS for an unknown name. */
    public CheckpointGroup group(FunctionName name) {
        return SpecFactory.spec(definition(name)).checkpoints();
    }

    /**
     * Returns the function with other code, which is not stored; fails like saving the code when it cannot run. Blocks.
     */
    public FunctionSpec draft(FunctionName name, String code) {
        DefinitionReader.code(code, (int) config.current().whole(ServiceOption.FUNCTION_SIZE));
        FunctionDefinition draft = definition(name).withCode(code);
        List<CodeCheck.Mistake> mistakes = codeCheck.check(draft);
        if (!mistakes.isEmpty()) {
            throw FunctionsException.doesNotCompile(mistakes);
        }
        return SpecFactory.spec(draft, secrets);
    }

    private FunctionDefinition definition(FunctionName name) {
        return store.find(name)
                .orElseThrow(() -> FunctionsException.notFound(name))
                .definition();
    }
}
