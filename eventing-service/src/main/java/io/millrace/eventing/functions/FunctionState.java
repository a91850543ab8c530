package io.millrace.eventing.functions;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.LifecycleFlags;
import io.millrace.eventing.definition.Setting;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The state of a function. Requests of users are methods of this interface; the end of work is a method of the state
 * that does this work.
 *
 * <pre>
 *                 deploy, resume                     started
 *   Undeployed ------------------&gt; Deploying --------------------&gt; Deployed
 *     ^    ^                           |                           |  |  ^
 *     |    '---------------------------'     pause, revoked    |  |  |
 *     |               failed            .--------------------------'  |  |
 *     |                                 v         undeploy, lost      |  |
 *     |                              Pausing    .---------------------'  | started
 *     | removed                         |       |                        |
 *     |                         stopped v       v                        |
 *   Undeploying &lt;------------------- Paused   Undeploying     Resuming --'
 *                 undeploy, lost       |  ^                     ^   |
 *                                      |  '---- failed ---------|---'
 *                                      '------ resume, deploy --'
 * </pre>
 *
 * While a state has work to do (deploying, pausing, resuming, undeploying), every request is refused. The state names
 * the node that starts a function, so that only one node calls OnDeploy; when that node is lost, another one starts
 * over. A function that was saved while it was deployed goes from pausing to resuming as soon as it has stopped.
 */
sealed interface FunctionState {

    /**
     * Why the deployment of a function failed.
     *
     * @param line where in the user's code, from 1; 0 when unknown
     * @param column likewise
     */
    record Failure(String message, int line, int column, Instant at) {}

    /** The answer of a state to a request. */
    sealed interface Transition {

        /** The function enters this state. */
        record To(FunctionState state) implements Transition {}

        /** The request is not possible in this state. */
        record Refused(ErrorCode code, String reason) implements Transition {}

        /** Returns the next state; fails with the error of a refusal. */
        default FunctionState orRefuse(FunctionName name) {
            return switch (this) {
                case To(FunctionState state) -> state;
                case Refused(ErrorCode code, String reason) ->
                    throw FunctionsException.of(code, "Invalid operation. Function: %s %s".formatted(name, reason));
            };
        }
    }

    /** Returns since when the function has been in this state. */
    Instant since();

    /** Returns why the deployment failed, or null. */
    default @Nullable Failure failure() {
        return null;
    }

    /** Returns the name of this state in the status. */
    default String label() {
        return getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** Returns the flags of this state in definitions and settings. */
    LifecycleFlags flags();

    /** Returns which settings may change in this state, or null for none. */
    default Setting.@Nullable When editable() {
        return null;
    }

    Transition deploy(Instant now);

    Transition undeploy(Instant now);

    Transition pause(Instant now);

    /** Couchbase's deploy and resume are one operation; the state before decides which one is meant. */
    default Transition resume(Instant now) {
        return deploy(now);
    }

    /** A state that has work to do and refuses every request. */
    sealed interface Transitional extends FunctionState {

        @Override
        default Transition deploy(Instant now) {
            return busy();
        }

        @Override
        default Transition undeploy(Instant now) {
            return busy();
        }

        @Override
        default Transition pause(Instant now) {
            return busy();
        }

        private Transition busy() {
            return new Transition.Refused(
                    ErrorCode.ERR_INVALID_REQUEST,
                    "is in %s state; wait until the transition has ended".formatted(label()));
        }
    }

    /** A state in which one node starts the function. */
    sealed interface Starting extends Transitional {

        /** Returns the node that starts the function, or null before one does. */
        @Nullable
        String node();

        /** Returns this state with another starting node. */
        FunctionState by(String newNode);
    }

    /** Nothing runs and no progress is kept. */
    record Undeployed(Instant since, @Nullable Failure failure) implements FunctionState {

        @Override
        public LifecycleFlags flags() {
            return LifecycleFlags.UNDEPLOY;
        }

        @Override
        public Setting.When editable() {
            return Setting.When.UNDEPLOYED;
        }

        @Override
        public Transition deploy(Instant now) {
            return new Transition.To(new Deploying(now, null));
        }

        @Override
        public Transition undeploy(Instant now) {
            return new Transition.Refused(ErrorCode.ERR_APP_NOT_DEPLOYED, "already in undeployed state");
        }

        @Override
        public Transition pause(Instant now) {
            return new Transition.Refused(
                    ErrorCode.ERR_INVALID_REQUEST,
                    "state transition not possible: from undeployed to paused, deploy it first");
        }
    }

    /** Workers are being started. */
    record Deploying(Instant since, @Nullable String node) implements Starting {

        @Override
        public FunctionState by(String newNode) {
            return new Deploying(since, newNode);
        }

        @Override
        public LifecycleFlags flags() {
            return LifecycleFlags.DEPLOY;
        }

        FunctionState started(Instant now) {
            return new Deployed(now);
        }

        FunctionState failed(Failure failure) {
            return new Undeployed(failure.at(), failure);
        }
    }

    /**
     * The handler sees changes.
     *
     * @param failure why a version that was to take the place of the running one could not, or null
     */
    record Deployed(Instant since, @Nullable Failure failure) implements FunctionState {

        Deployed(Instant since) {
            this(since, null);
        }

        @Override
        public LifecycleFlags flags() {
            return LifecycleFlags.DEPLOY;
        }

        @Override
        public Setting.When editable() {
            return Setting.When.ALWAYS;
        }

        @Override
        public Transition deploy(Instant now) {
            return new Transition.Refused(ErrorCode.ERR_APP_ALREADY_DEPLOYED, "already in deployed state");
        }

        @Override
        public Transition undeploy(Instant now) {
            return new Transition.To(new Undeploying(now, null));
        }

        @Override
        public Transition pause(Instant now) {
            return new Transition.To(new Pausing(now, null));
        }

        /** The source or metadata keyspace does not exist any more, or the handler cannot run any more. */
        FunctionState lost(Failure failure) {
            return new Undeploying(failure.at(), failure);
        }

        /** The owner may not run the function any more; its progress is kept for one who may. */
        FunctionState revoked(Failure failure) {
            return new Pausing(failure.at(), failure);
        }
    }

    /** Events in flight are being finished on every node. */
    record Pausing(Instant since, @Nullable Failure failure) implements Transitional {

        @Override
        public LifecycleFlags flags() {
            return LifecycleFlags.PAUSE;
        }

        FunctionState stopped(Instant now) {
            return new Paused(now, failure);
        }
    }

    /** Nothing runs; progress is kept. */
    record Paused(Instant since, @Nullable Failure failure) implements FunctionState {

        @Override
        public LifecycleFlags flags() {
            return LifecycleFlags.PAUSE;
        }

        @Override
        public Setting.When editable() {
            return Setting.When.PAUSED;
        }

        @Override
        public Transition deploy(Instant now) {
            return new Transition.To(new Resuming(now, since, null));
        }

        @Override
        public Transition undeploy(Instant now) {
            return new Transition.To(new Undeploying(now, null));
        }

        @Override
        public Transition pause(Instant now) {
            return new Transition.Refused(ErrorCode.ERR_APP_PAUSED, "already in paused state");
        }

        /** The source or metadata keyspace does not exist any more, and with it nothing to continue from. */
        FunctionState lost(Failure failure) {
            return new Undeploying(failure.at(), failure);
        }
    }

    /** Workers are being started; they continue where the function was paused. */
    record Resuming(
            Instant since, Instant pausedSince, @Nullable String node) implements Starting {

        @Override
        public FunctionState by(String newNode) {
            return new Resuming(since, pausedSince, newNode);
        }

        @Override
        public LifecycleFlags flags() {
            return LifecycleFlags.DEPLOY;
        }

        FunctionState started(Instant now) {
            return new Deployed(now);
        }

        /** OnDeploy failed. */
        FunctionState refused(Failure failure) {
            return new Undeploying(failure.at(), failure);
        }

        /** Returns to paused rather than undeployed, which would delete the progress. */
        FunctionState failed(Failure failure) {
            return new Paused(failure.at(), failure);
        }
    }

    /** Workers are being ended; once they have ended on every node, progress is deleted. */
    record Undeploying(Instant since, @Nullable Failure failure) implements Transitional {

        @Override
        public LifecycleFlags flags() {
            return LifecycleFlags.UNDEPLOY;
        }

        FunctionState removed(Instant now) {
            return new Undeployed(now, failure);
        }
    }
}
