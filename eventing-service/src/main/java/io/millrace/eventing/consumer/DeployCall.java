package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Outcome;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The call of OnDeploy that a consumer makes at most once. */
final class DeployCall {
    private volatile @Nullable CompletableFuture<Outcome> waiting;

    CompletableFuture<Outcome> send(@Nullable Session session, Frame.Deploy frame) {
        if (session == null) {
            return CompletableFuture.failedFuture(new IOException("the worker has ended"));
        }
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        waiting = answer;
        try {
            session.send(frame);
        } catch (IOException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    void answered(Outcome outcome) throws IOException {
        CompletableFuture<Outcome> answer = waiting;
        if (answer == null) {
            throw new IOException("The worker answered a Deploy that was not sent");
        }
        answer.complete(outcome);
    }

    void workerEnded() {
        CompletableFuture<Outcome> answer = waiting;
        if (answer != null) {
            answer.completeExceptionally(new IOException("the worker ended while OnDeploy ran"));
        }
    }
}
