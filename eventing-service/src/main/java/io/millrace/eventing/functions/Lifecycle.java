package io.millrace.eventing.functions;

import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.LifecycleFlags;
import io.millrace.eventing.functions.FunctionState.Deployed;
import io.millrace.eventing.functions.FunctionState.Deploying;
import io.millrace.eventing.functions.FunctionState.Resuming;
import io.millrace.eventing.functions.FunctionState.Starting;
import io.millrace.eventing.functions.FunctionState.Transition;
import io.millrace.eventing.versions.Author;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
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
    private final OwnerRights rights;
    private final Nodes nodes;
    private final InstantSource clock;

    Lifecycle(FunctionStore store, DeployCheck check, OwnerRights rights, Nodes nodes, InstantSource clock) {
        this.store = store;
        this.check = check;
        this.rights = rights;
        this.nodes = nodes;
        this.clock = clock;
    }

    /** Deploys an undeployed function or resumes a paused one. */
    public String deploy(FunctionName name) {
        return move(name, UnaryOperator.identity(), FunctionState::deploy);
    }

    /**
     * Deploys an undeployed function or resumes a paused one, with some settings changed. One that is deployed takes changed
     * settings too; it pauses and resumes where they need that.
     */
    public String deploy(FunctionName name, JsonNode settings, Author author) {
        StoredFunction moved = store.change(name, function -> {
            if (function == null) {
                throw FunctionsException.notFoundForLifecycle(name);
            }
            StoredFunction deployed =
                    function.state() instanceof Deployed ? changed(function, settings, author) : function;
            return deployed == function
                    ? entered(
                            withSettings(function, settings, author),
                            function.state().deploy(clock.instant()).orRefuse(name))
                    : deployed;
        });
        return Objects.requireNonNull(moved).state().label();
    }

    /** Returns a deployed function with other settings, or on the way to them; the same when they are the same. */
    private StoredFunction changed(StoredFunction deployed, JsonNode settings, Author author) {
        FunctionDefinition after = deployed.definition()
                .withSettings(deployed.definition().settings().merge(settings));
        boolean pausing = Edits.needsPause(deployed, after);
        Edits.check(deployed, after, pausing);
        if (after.equals(deployed.definition())) {
            return deployed;
        }
        StoredFunction saved = edited(deployed, after, author);
        return pausing || Edits.changesEnv(deployed, after) ? restarting(deployed, saved) : saved;
    }

    public String undeploy(FunctionName name) {
        return move(name, UnaryOperator.identity(), FunctionState::undeploy);
    }

    public String pause(FunctionName name) {
        return move(name, UnaryOperator.identity(), FunctionState::pause);
    }

    public String resume(FunctionName name) {
        return move(name, UnaryOperator.identity(), FunctionState::resume);
    }

    private String move(
            FunctionName name,
            UnaryOperator<StoredFunction> change,
            BiFunction<FunctionState, Instant, Transition> request) {
        StoredFunction moved = store.change(name, function -> {
            if (function == null) {
                throw FunctionsException.notFoundForLifecycle(name);
            }
            FunctionState next =
                    request.apply(function.state(), clock.instant()).orRefuse(name);
            return entered(change.apply(function), next);
        });
        return Objects.requireNonNull(moved).state().label();
    }

    private StoredFunction withSettings(StoredFunction function, JsonNode settings, Author author) {
        FunctionDefinition after = function.definition()
                .withSettings(function.definition().settings().merge(settings));
        Edits.check(function, after, false);
        return edited(function, after, author);
    }

    private StoredFunction edited(StoredFunction old, FunctionDefinition after, Author author) {
        return rights.saved(old, old.saved(after, author, clock.instant()), author.subject());
    }

    /** Fails with ERR_BUCKET_MISSING or ERR_COLLECTION_MISSING if source or metadata do not exist. */
    void requireKeyspaces(FunctionDefinition definition) {
        check.requireKeyspaces(definition);
    }

    /** Fails with ERR_INVALID_CONFIG if a binding names a Kafka cluster that the operator has not named. */
    void requireClusters(FunctionDefinition definition) {
        check.requireClusters(definition);
    }

    /**
     * Returns a deployed function that takes what was saved: without a pause where that is possible, otherwise it pauses in
     * order to resume. Fails when what was saved cannot run.
     */
    StoredFunction restarting(StoredFunction deployed, StoredFunction saved) {
        check.check(saved, store.all());
        if (Edits.swappable(deployed, saved)) {
            return deployed.swapping(saved);
        }
        return deployed.staging(saved, deployed.state().pause(clock.instant()).orRefuse(deployed.name()));
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
                .in(here(next))
                .withoutStaged();
    }

    /** The leading node, which starts functions, says so with the request; otherwise it needs another write for that. */
    private FunctionState here(FunctionState next) {
        return next instanceof Starting starting && nodes.leads() ? starting.by(nodes.here()) : next;
    }
}
