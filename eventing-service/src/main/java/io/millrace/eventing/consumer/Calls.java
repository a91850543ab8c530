package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a worker that do not come from the feed: OnDeploy, at most once, OnRequest, and changes of its code. A call
 * whose worker ends fails; none is repeated. Thread-safe.
 */
public final class Calls {

    private enum Code {
        /** Each worker loads it before it is ready. */
        LOADED,
        /** It has been loaded before: the next worker may be ready first. */
        KNOWN,
        /** One was ready first; no worker has loaded it before it was ready. */
        TRUSTED
    }

    private static final class Waiting {
        private final int thread;
        private final CompletableFuture<RequestResult> result;
        private volatile @Nullable StreamedResponse streamed;

        private Waiting(int thread, CompletableFuture<RequestResult> result) {
            this.thread = thread;
            this.result = result;
        }

        private void end(Outcome outcome, RequestResult whole) {
            StreamedResponse begun = streamed;
            if (begun == null) {
                result.complete(whole);
            } else {
                begun.end(outcome);
            }
        }
    }

    // guarded by this
    private final int[] perThread;
    private final Map<Long, Waiting> requests = new HashMap<>();
    private @Nullable CompletableFuture<Outcome> deploy;
    private @Nullable CompletableFuture<Void> swap;
    private @Nullable Session session;
    private long latest;
    private WorkerSetup setup;
    private Code code = Code.LOADED;
    private boolean held;

    Calls(WorkerSetup setup) {
        this.setup = setup;
        perThread = new int[setup.limits().threads()];
    }

    /**
     * Lets the first worker be ready before it has loaded the code, which has been loaded before. If it cannot load it, and neither can
     * its successor, the consumer ends with {@link HandlerRejected}.
     */
    public synchronized void known() {
        code = Code.KNOWN;
    }

    /** Returns where the next worker starts. */
    synchronized Placement next(Standing standing) {
        Placement usual = standing.placement();
        if (code != Code.KNOWN) {
            return usual;
        }
        code = Code.TRUSTED; // if it cannot be loaded, the successor says why
        return usual.known();
    }

    /** Returns whether no worker has loaded the code before it was ready. */
    synchronized boolean untried() {
        return code == Code.TRUSTED;
    }

    /** Returns what the next worker is to run: what the last one did. */
    synchronized WorkerSetup setup() {
        return setup;
    }

    /** Returns the number of the version of that. */
    long version() {
        return setup().source().version();
    }

    /**
     * Has the worker take other code, each thread between two batches. Fails with {@link HandlerRejected} when it cannot run,
     * and with another exception when the worker ends meanwhile; it has then not taken it, and neither does its successor.
     */
    public CompletableFuture<Void> swap(WorkerSetup next) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        Session to;
        synchronized (this) {
            awaitRelease();
            to = session;
            swap = answer;
        }
        try {
            if (to == null) {
                throw new IOException("the worker has ended");
            }
            to.send(new Frame.Swap(next));
        } catch (IOException e) {
            answer.completeExceptionally(e);
        }
        return answer.thenRun(() -> takes(next)).whenComplete((taken, failure) -> swapped(answer));
    }

    private synchronized void takes(WorkerSetup next) {
        setup = next;
    }

    private synchronized void swapped(CompletableFuture<Void> answer) {
        if (swap == answer) {
            swap = null;
        }
    }

    synchronized void opened(Session opened) {
        session = opened;
        code = opened.known() ? code : Code.LOADED;
        release();
    }

    /** Lets new calls wait for {@link #release} or the next worker: the present one is about to end. */
    synchronized void hold() {
        held = true;
    }

    synchronized void release() {
        held = false;
        notifyAll();
    }

    /** Returns whether the worker has answered every call. */
    synchronized boolean idle() {
        return requests.isEmpty() && swap == null && (deploy == null || deploy.isDone());
    }

    /** Holds the monitor. An interrupt ends the wait, not the call: it then goes to the present worker. */
    private void awaitRelease() {
        while (held) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Has the worker call OnDeploy; fails when the worker ends before it has answered. */
    public CompletableFuture<Outcome> deploy(Frame.Deploy frame) {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        Session to;
        synchronized (this) {
            to = session;
            deploy = answer;
        }
        try {
            if (to == null) {
                throw new IOException("the worker has ended");
            }
            to.send(frame);
        } catch (IOException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    /**
     * Has the worker call OnRequest, on the thread with the fewest requests. Blocks as long as the link does; never
     * fails.
     *
     * @param timeout how long the call may wait and run in all
     */
    public CompletableFuture<RequestResult> request(HttpRequest request, Duration timeout) {
        CompletableFuture<RequestResult> result = new CompletableFuture<>();
        Session to;
        long call;
        int thread;
        synchronized (this) {
            awaitRelease();
            to = session;
            if (to == null) {
                return CompletableFuture.completedFuture(new RequestResult.NoWorker());
            }
            call = ++latest;
            thread = idlest();
            perThread[thread]++;
            requests.put(call, new Waiting(thread, result));
        }
        try {
            to.send(new Frame.Request(call, thread, timeout.toMillis(), request));
        } catch (IOException e) {
            // a frame that was sent in part is never run
            take(call);
            result.complete(new RequestResult.NoWorker());
        }
        return result;
    }

    private int idlest() {
        int best = 0;
        for (int thread = 1; thread < perThread.length; thread++) {
            if (perThread[thread] < perThread[best]) {
                best = thread;
            }
        }
        return best;
    }

    private synchronized @Nullable Waiting take(long call) {
        Waiting waiting = requests.remove(call);
        if (waiting != null) {
            perThread[waiting.thread]--;
        }
        return waiting;
    }

    /** Returns how many requests have no answer yet; more than there can be while no worker is ready. */
    public synchronized int load() {
        return session == null ? Integer.MAX_VALUE : requests.size();
    }

    void answered(Frame.Deployed answer) throws IOException {
        CompletableFuture<Outcome> waiting;
        synchronized (this) {
            waiting = deploy;
        }
        if (waiting == null) {
            throw new IOException("The worker answered a Deploy that was not sent");
        }
        waiting.complete(answer.outcome());
    }

    void answered(Frame.Swapped ignored) throws IOException {
        swapping().complete(null);
    }

    void answered(Frame.Rejected rejected) throws IOException {
        swapping().completeExceptionally(new HandlerRejected(rejected.message(), rejected.line(), rejected.column()));
    }

    private synchronized CompletableFuture<Void> swapping() throws IOException {
        if (swap == null) {
            throw new IOException("The worker answered a Swap that was not sent");
        }
        return swap;
    }

    void answered(Frame.Response answer) throws IOException {
        Waiting waiting = waiting(answer.call());
        take(answer.call());
        waiting.end(answer.outcome(), new RequestResult.Answered(answer.outcome(), answer.response()));
    }

    void answered(Frame.Begun answer) throws IOException {
        Waiting waiting = waiting(answer.call());
        StreamedResponse begun = new StreamedResponse(answer.response(), client(answer.call(), waiting.thread));
        waiting.streamed = begun;
        waiting.result.complete(new RequestResult.Streamed(begun));
    }

    void answered(Frame.Part answer) throws IOException {
        StreamedResponse begun = waiting(answer.call()).streamed;
        if (begun == null) {
            throw new IOException("The worker continued response %d, which has not begun".formatted(answer.call()));
        }
        begun.part(answer.bytes());
    }

    private synchronized Waiting waiting(long call) throws IOException {
        Waiting waiting = requests.get(call);
        if (waiting == null) {
            throw new IOException("The worker answered request %d, which is not in flight".formatted(call));
        }
        return waiting;
    }

    private synchronized StreamedResponse.Client client(long call, int thread) {
        Session to = session;
        return new StreamedResponse.Client() {
            @Override
            public void taken(long bytes) {
                tell(to, new Frame.Taken(call, thread, bytes));
            }

            @Override
            public void gone() {
                tell(to, new Frame.Abandoned(call, thread));
            }
        };
    }

    /** Sends on a thread of its own, because the link blocks. */
    private static void tell(@Nullable Session to, Frame frame) {
        if (to != null) {
            Thread.startVirtualThread(() -> {
                try {
                    to.send(frame);
                } catch (IOException e) {
                    // the worker has ended, and its responses with it
                }
            });
        }
    }

    /** Fails what the ended worker had not answered; returns whether there was any. */
    boolean ended() {
        List<Waiting> lost;
        CompletableFuture<Outcome> deploying;
        CompletableFuture<Void> swapping;
        synchronized (this) {
            session = null;
            deploying = deploy;
            swapping = swap;
            lost = new ArrayList<>(requests.values());
            requests.keySet().stream().toList().forEach(this::take);
        }
        if (deploying != null) {
            deploying.completeExceptionally(new IOException("the worker ended while OnDeploy ran"));
        }
        if (swapping != null) {
            swapping.completeExceptionally(new IOException("the worker ended while it took other code"));
        }
        Outcome outcome =
                new Outcome(Outcome.Result.WORKER_ENDED, 0, "the worker ended in the middle of its response", 0, 0);
        lost.forEach(one -> one.end(outcome, new RequestResult.WorkerEnded()));
        return !lost.isEmpty();
    }
}
