package io.millrace.eventing.functions;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.LifecycleFlags;
import io.millrace.eventing.definition.Setting;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The state of a function. What users ask for are the methods of this interface; how work ends are methods on the state
 * that has this work.
 *
 * <pre>
 *                 deploy, resume                     started
 *   Undeployed ------------------&gt; Deploying --------------------&gt; Deployed
 *     ^    ^                           |                           |  |  ^
 *     |    '---------------------------'            pause          |  |  |
 *     |               failed            .--------------------------'  |  |
 *     |                                 v         undeploy, lost      |  |
 *     |                              Pausing    .---------------------'  | started
 *     | removed                         |       |                        |
 *     |                         stopped v       v                        |
 *   Undeploying &lt;------------------- Paused   Undeploying     Resuming --'
 *                     undeploy         |  ^                     ^   |
 *                                      |  '---- failed ---------|---'
 *                                      '------ resume, deploy --'
 * </pre>
 *
 * While a state has work to do (deploying, pausing, resuming, undeploying) every request is refused. One node starts a
 * function, which is written down, so that OnDeploy is called by one; another begins anew when that one is gone.
 */
sealed interface FunctionState {

    /** Since when the function is in this state. */
    Instant since();

    /** Returns why the function is not deployed although it should be, or null. */
    default @Nullable Failure failure() {
        return null;
    }

    /** Returns the name that the status shows. */
    default String label() {
        return getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** Returns how definitions and settings report this state. */
    LifecycleFlags flags();

    /** Returns when a setting must be changeable at the latest to be changed in this state, or null when none may. */
    default Setting.@Nullable When editable() {
        return null;
    }

    Transition deploy(Instant now);

    Transition undeploy(Instant now);

    Transition pause(Instant now);

    /** Couchbase's deploy and resume are one operation: the state before decides which it is. */
    default Transition resume(Instant now) {
        return deploy(now);
    }

    /** A state that has work to do; refuses every request meanwhile. */
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
                    ErrorCode.ERR_INVALID_REQUEST, "is in %s state, wait until that is done".formatted(label()));
        }
    }

    /** A state in which one node starts the function. */
    sealed interface Starting extends Transitional {

        /** Returns the node that does, or null when none does yet. */
        @Nullable
        String node();

        /** Returns this state with another node that starts the function. */
        FunctionState by(String newNode);
    }

    /** Nothing runs, no progress is kept. */
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

    /** The handler sees changes. */
    record Deployed(Instant since) implements FunctionState {

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
            return new Transition.To(new Pausing(now));
        }

        /** The source or metadata keyspace is gone, or the handler can run no more. */
        FunctionState lost(Failure failure) {
            return new Undeploying(failure.at(), failure);
        }
    }

    /** What is in flight is being finished, until that is so on every node. */
    record Pausing(Instant since) implements Transitional {

        @Override
        public LifecycleFlags flags() {
            return LifecycleFlags.PAUSE;
        }

        FunctionState stopped(Instant now) {
            return new Paused(now, null);
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
    }

    /** Workers are being started; they go on where the function was paused. */
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

        /** The handler itself refused to run. */
        FunctionState refused(Failure failure) {
            return new Undeploying(failure.at(), failure);
        }

        /** Back to paused and not to undeployed: that would forget the progress. */
        FunctionState failed(Failure failure) {
            return new Paused(failure.at(), failure);
        }
    }

    /** Workers are being ended, and when they are on every node, progress is being deleted. */
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
