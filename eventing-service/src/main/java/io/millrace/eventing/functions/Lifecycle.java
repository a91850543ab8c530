package io.millrace.eventing.functions;

import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.LifecycleFlags;
import io.millrace.eventing.functions.FunctionState.Deploying;
import io.millrace.eventing.functions.FunctionState.Resuming;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Deploys, undeploys, pauses and resumes functions: records the wanted state, which every node then carries out.
 * Methods return the new state of the function, which is transitional; they block and fail with {@link
 * FunctionsException}.
 */
public final class Lifecycle {

    private final FunctionStore store;
    private final DeployCheck check;
    private final InstantSource clock;

    Lifecycle(FunctionStore store, DeployCheck check, InstantSource clock) {
        this.store = store;
        this.check = check;
        this.clock = clock;
    }

    /** Deploys an undeployed function or resumes a paused one. @param settings to merge first, or null */
    public String deploy(FunctionName name, @Nullable JsonNode settings) {
        return move(name, settings, FunctionState::deploy);
    }

    public String undeploy(FunctionName name) {
        return move(name, null, FunctionState::undeploy);
    }

    public String pause(FunctionName name) {
        return move(name, null, FunctionState::pause);
    }

    public String resume(FunctionName name) {
        return move(name, null, FunctionState::resume);
    }

    private String move(
            FunctionName name, @Nullable JsonNode settings, BiFunction<FunctionState, Instant, Transition> request) {
        StoredFunction moved = store.change(name, function -> {
            if (function == null) {
                throw FunctionsException.notFoundForLifecycle(name);
            }
            FunctionState next =
                    request.apply(function.state(), clock.instant()).orRefuse(name);
            return entered(settings == null ? function : withSettings(function, settings), next);
        });
        return Objects.requireNonNull(moved).state().label();
    }

    private static StoredFunction withSettings(StoredFunction function, JsonNode settings) {
        FunctionDefinition after = function.definition()
                .withSettings(function.definition().settings().merge(settings));
        Edits.check(function, after, false);
        return function.with(after);
    }

    /**
     * Returns the function in transition to the state that lifecycle flags request; null and the present flags request
     * nothing.
     */
    StoredFunction requested(StoredFunction function, @Nullable LifecycleFlags requested) {
        FunctionState state = function.state();
        if (requested == null || requested == state.flags()) {
            return function;
        }
        Instant now = clock.instant();
        Transition transition = switch (requested) {
            case DEPLOY -> state.deploy(now);
            case PAUSE -> state.pause(now);
            case UNDEPLOY -> state.undeploy(now);
        };
        return entered(function, transition.orRefuse(function.name()));
    }

    private StoredFunction entered(StoredFunction function, FunctionState next) {
        if (next instanceof Deploying || next instanceof Resuming) {
            check.check(function, store.all());
        }
        FunctionDefinition definition = function.definition();
        return function.with(
                        next instanceof Deploying
                                ? definition.withIds(definition.handlerUuid(), FunctionDefinition.newInstanceId())
                                : definition)
                .in(next);
    }
}
