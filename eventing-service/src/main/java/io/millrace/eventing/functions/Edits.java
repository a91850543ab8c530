package io.millrace.eventing.functions;

import io.millrace.eventing.definition.DeploymentConfig;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.Setting;
import io.millrace.eventing.definition.Setting.When;
import io.millrace.eventing.definition.Settings;
import io.millrace.eventing.functions.FunctionState.Deployed;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The changes that each state of a function allows. */
final class Edits {

    private Edits() {}

    /** Returns whether a change of a deployed function takes effect only after a pause. */
    static boolean needsPause(StoredFunction function, FunctionDefinition after) {
        FunctionDefinition before = function.definition();
        return function.state().editable() == When.ALWAYS
                && (!before.code().equals(after.code())
                        || !before.deployment().equals(after.deployment())
                        || before.settings().firstFrozen(after.settings(), When.ALWAYS) != null);
    }

    /**
     * Returns whether a deployed function can take another form without a pause: with other code and other constants of the
     * setting {@code env} only, of the same owner, and without OnDeploy, which has to be called before the code handles changes.
     */
    static boolean swappable(StoredFunction deployed, StoredFunction next) {
        FunctionDefinition before = deployed.definition();
        FunctionDefinition after = next.definition();
        return deployed.state() instanceof Deployed
                && before.withCode(after.code())
                        .withSettings(before.settings().withEnvOf(after.settings()))
                        .equals(after)
                && !after.code().contains("OnDeploy")
                && Objects.equals(deployed.owner(), next.owner());
    }

    /** Fails with ERR_INVALID_REQUEST when a function cannot take another form without a pause, and says what needs one. */
    static void requireNoPause(StoredFunction function, StoredFunction next) {
        FunctionDefinition after = next.definition();
        if (!(function.state() instanceof Deployed)) {
            throw refused(
                    function, "only a function that is deployed takes another version without a pause; deploy it");
        }
        if ((needsPause(function, after) || changesEnv(function, after)) && !swappable(function, next)) {
            throw FunctionsException.invalidRequest(
                    "Function: %s cannot take this version without a pause: %s; deploy it, which pauses and resumes the function."
                            .formatted(function.name(), pauseReason(function, next)));
        }
    }

    private static String pauseReason(StoredFunction function, StoredFunction next) {
        FunctionDefinition before = function.definition();
        FunctionDefinition after = next.definition();
        if (!before.deployment().equals(after.deployment())) {
            return "its bindings or keyspaces differ";
        }
        Set<String> settings = before.settings().withEnvOf(after.settings()).differences(after.settings());
        if (!settings.isEmpty()) {
            return "the settings differ in " + String.join(", ", settings);
        }
        if (after.code().contains("OnDeploy")) {
            return "the code has OnDeploy";
        }
        return "it would get another owner";
    }

    /**
     * Fails with ERR_INVALID_REQUEST when the state of a function does not allow a change of its definition.
     *
     * @param pausing whether the function is about to be paused, which allows the changes of that state
     */
    static void check(StoredFunction function, FunctionDefinition after, boolean pausing) {
        FunctionDefinition before = function.definition();
        if (before.equals(after)) {
            return;
        }
        FunctionState state = function.state();
        When editable = pausing && state.editable() == When.ALWAYS ? When.PAUSED : state.editable();
        if (editable == null) {
            throw refused(function, "wait until the transition has ended before changing it");
        }
        if (editable == When.ALWAYS && !before.code().equals(after.code())) {
            throw refused(function, "pause or undeploy it before changing its code");
        }
        if (editable == When.ALWAYS && !before.deployment().equals(after.deployment())) {
            throw refused(function, "pause or undeploy it before changing its bindings or keyspaces");
        }
        if (editable == When.PAUSED && !sameKeyspaces(before.deployment(), after.deployment())) {
            throw refused(function, "undeploy it before changing its source or metadata keyspace");
        }
        String frozen = before.settings().firstFrozen(after.settings(), editable);
        if (frozen != null) {
            throw refused(
                    function,
                    "setting '%s' can only change while it is %s".formatted(frozen, states(Setting.named(frozen))));
        }
    }

    /** Returns whether a change of a deployed function has to be taken by its workers although its state allows it. */
    static boolean changesEnv(StoredFunction function, FunctionDefinition after) {
        return function.state().editable() == When.ALWAYS
                && !function.definition().settings().sameEnv(after.settings());
    }

    /** Returns whether two definitions run the same code with the same bindings and constants. */
    static boolean sameWork(FunctionDefinition before, FunctionDefinition after) {
        Settings old = before.settings();
        Settings other = after.settings();
        return before.code().equals(after.code())
                && before.deployment().equals(after.deployment())
                && old.sameEnv(other)
                && old.lines(Setting.HANDLER_HEADERS).equals(other.lines(Setting.HANDLER_HEADERS))
                && old.lines(Setting.HANDLER_FOOTERS).equals(other.lines(Setting.HANDLER_FOOTERS));
    }

    private static boolean sameKeyspaces(DeploymentConfig before, DeploymentConfig after) {
        return before.sameSource(after) && before.metadata().equals(after.metadata());
    }

    private static String states(@Nullable Setting setting) {
        return setting != null && setting.changeable() == When.UNDEPLOYED ? "undeployed" : "paused or undeployed";
    }

    private static FunctionsException refused(StoredFunction function, String advice) {
        return FunctionsException.invalidRequest("Function: %s is in %s state; %s."
                .formatted(function.name(), function.state().label(), advice));
    }
}
