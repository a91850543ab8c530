package io.millrace.eventing.producer;

import io.millrace.eventing.delivery.ConsumerGroup;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.runtime.FunctionRuntime.DeployAction;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The call of OnDeploy, which decides whether a function runs. */
final class OnDeployCall {

    private OnDeployCall() {}

    /**
     * Has the first worker call OnDeploy and waits for the outcome.
     *
     * @param grace how late the answer may be
     * @throws DeployRejected when OnDeploy fails or takes too long
     * @throws CancellationException when the producer is stopped meanwhile
     */
    static void call(ConsumerGroup consumers, DeployAction action, Duration grace, StopSignal producerStop)
            throws InterruptedException {
        CompletableFuture<Outcome> answer = consumers
                .ofLane(0)
                .calls()
                .deploy(new Frame.Deploy(
                        action.reason(),
                        action.delay().toMillis(),
                        action.timeout().toMillis()));
        Duration patience = action.timeout().plus(grace);
        try {
            CompletableFuture.anyOf(answer, producerStop.future()).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw DeployRejected.byHandler("OnDeploy failed: " + Retry.cause(e).getMessage(), 0, 0);
        } catch (TimeoutException e) {
            throw DeployRejected.byHandler("OnDeploy did not end within " + patience.toSeconds() + " s", 0, 0);
        }
        if (!answer.isDone()) {
            throw new CancellationException("The function is being stopped");
        }
        Outcome outcome = answer.resultNow();
        if (!outcome.ok()) {
            throw DeployRejected.byHandler("OnDeploy failed: " + outcome.message(), outcome.line(), outcome.column());
        }
    }
}
