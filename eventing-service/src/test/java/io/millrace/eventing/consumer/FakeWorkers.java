package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Workers inside this JVM, at the other end of real sockets, that do with each event what a test says. Code that
 * contains {@code syntax error} is rejected at line 3, column 7; if it is known, its worker is ready and ends then.
 */
public final class FakeWorkers implements WorkerLauncher {

    /** What a worker does with an event. Called by one thread per thread of the worker. */
    public interface Handler {
        Outcome handle(Event event, Life life) throws Crash, InterruptedException;
    }

    /** What a worker does with a request. Called by a thread of its own. */
    public interface RequestHandler {
        HttpResponse handle(Frame.Request request, Life life) throws Crash, InterruptedException;
    }

    /** Sees batches come to workers, never after their end, and be answered by them. */
    public interface Observer {
        void arrived(List<Event> events, Life life);

        void answering(List<Event> events);
    }

    /** Ends the worker without another word, as kill -9 does. */
    public static final class Crash extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final List<Event> handled = new ArrayList<>();
    private final List<List<Event>> batches = new ArrayList<>();
    private final Map<String, AtomicInteger> livesByName = new ConcurrentHashMap<>();
    private final List<Life> lives = new CopyOnWriteArrayList<>();
    private final Suspects suspects = new Suspects();
    private final AtomicInteger killsAsked = new AtomicInteger();
    private volatile CompletableFuture<Void> mayEnd = CompletableFuture.completedFuture(null);
    private volatile @Nullable Observer observer;

    // guarded by lives
    private boolean sharing;
    private int lastProcess;
    /** 0 while there is none. */
    private int sharedProcess;

    private volatile RequestHandler requests = (request, life) -> HttpResponse.NONE;
    private volatile Handler handler = (event, life) -> Outcome.success(10);

    /** Returns what a worker is told that runs a function named {@code f} without bindings. */
    static WorkerSetup setup(String code, int threads) {
        return new WorkerSetup(
                "f",
                "1",
                new WorkerSetup.Source(code, List.of(), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(threads, 60_000, 128L << 20),
                "INFO",
                "source",
                "redis://127.0.0.1:1",
                List.of(),
                HandlerSettings.STANDARD);
    }

    public FakeWorkers answering(RequestHandler with) {
        this.requests = with;
        return this;
    }

    public FakeWorkers handling(Handler with) {
        this.handler = with;
        return this;
    }

    /** Lets the workers share a process, as far as their placement allows it. */
    public FakeWorkers sharingProcesses() {
        sharing = true;
        return this;
    }

    @Override
    public Suspects suspects() {
        return sharing ? suspects : Suspects.NONE;
    }

    public void observedBy(Observer by) {
        this.observer = by;
    }

    /** Returns every event that a handler finished, in the order in which they did, repetitions included. */
    public List<Event> handled() {
        synchronized (handled) {
            return List.copyOf(handled);
        }
    }

    public List<String> handledIds() {
        return handled().stream().map(Event::id).toList();
    }

    /** Lets workers that are killed end only when the future completes that is returned. */
    public CompletableFuture<Void> delayEnds() {
        mayEnd = new CompletableFuture<>();
        return mayEnd;
    }

    /** Returns how often workers were killed. */
    public int killsAsked() {
        return killsAsked.get();
    }

    /** Returns the events of every batch that arrived. */
    public List<List<Event>> batches() {
        synchronized (batches) {
            return List.copyOf(batches);
        }
    }

    /** Returns every worker that was started, the dead ones included. */
    public List<Life> lives() {
        return List.copyOf(lives);
    }

    public List<Life> living() {
        return lives.stream().filter(Life::living).toList();
    }

    @Override
    public Worker launch(String name, Path socket, Placement placement) {
        int number =
                livesByName.computeIfAbsent(name, any -> new AtomicInteger()).incrementAndGet();
        Life life;
        synchronized (lives) {
            boolean alone = !sharing || placement.isolation() == Placement.Isolation.PROCESS;
            int process = alone || sharedProcess == 0 ? ++lastProcess : sharedProcess;
            sharedProcess = alone ? sharedProcess : process;
            life = new Life(name, number, process, !alone);
            lives.add(life);
        }
        Thread.ofVirtual().name("fake-" + name + "-" + number).start(() -> life.run(socket));
        return life;
    }

    /** One worker, from its start to its end. */
    public final class Life implements Worker {

        private final String name;
        private final int number;
        private final int process;
        private final boolean shared;
        private final CompletableFuture<Integer> exited = new CompletableFuture<>();
        private final CompletableFuture<Void> renewal = new CompletableFuture<>();
        private final Map<Integer, BlockingQueue<Frame.Batch>> queues = new ConcurrentHashMap<>();
        private final AtomicInteger unanswered = new AtomicInteger();
        private volatile @Nullable Link link;
        private volatile boolean crashAfterAnswer;
        private volatile boolean silent;
        private volatile WorkerSetup.@Nullable Source source;

        private Life(String name, int number, int process, boolean shared) {
            this.name = name;
            this.number = number;
            this.process = process;
            this.shared = shared;
        }

        /** Returns 1 for the first worker of its name, 2 for its successor, and so on. */
        public int number() {
            return number;
        }

        public String name() {
            return name;
        }

        boolean living() {
            return !exited.isDone();
        }

        /** Ends the worker as soon as the batch in hand is answered. */
        public void crashAfterAnswer() {
            crashAfterAnswer = true;
        }

        /** Lets the worker handle events and report none of them. */
        public void answerNothing() {
            silent = true;
        }

        /** Waits until this worker is killed. */
        public Outcome hang() throws Crash {
            exited.join();
            throw new Crash();
        }

        @Override
        public long pid() {
            return 1000 + number;
        }

        @Override
        public CompletableFuture<Integer> exited() {
            return exited.copy();
        }

        @Override
        public CompletableFuture<Void> renewal() {
            return renewal.copy();
        }

        /** Has the worker replaced by one in another process. */
        public void renew() {
            renewal.complete(null);
        }

        @Override
        public boolean shared() {
            return shared;
        }

        @Override
        public void kill() {
            killsAsked.incrementAndGet();
            exit(137);
        }

        /** Ends the process of the worker, and all workers in it, as kill -9 does. */
        public void killProcess() {
            List<Life> all;
            synchronized (lives) {
                sharedProcess = sharedProcess == process ? 0 : sharedProcess;
                all = lives.stream().filter(life -> life.process == process).toList();
            }
            all.forEach(Life::kill);
        }

        private void exit(int code) {
            mayEnd.thenRun(() -> {
                synchronized (exited) {
                    exited.complete(code);
                }
            });
            Link open = link;
            if (open != null) {
                open.close();
            }
        }

        private void run(Path socket) {
            try {
                Link opened = Link.connect(socket);
                link = opened;
                serve(opened);
            } catch (IOException e) {
                // killed
            } finally {
                exit(0);
            }
        }

        private void serve(Link opened) throws IOException {
            opened.send(new Frame.Hello(pid(), "fake"));
            Frame first = opened.receive().orElseThrow();
            if (first instanceof Frame.Try attempt) {
                tryOut(attempt, opened);
                return;
            }
            Frame.Init init = (Frame.Init) first;
            source = init.setup().source();
            boolean known = init.known();
            boolean broken = init.setup().source().code().contains("syntax error");
            if (broken && !known) {
                opened.send(new Frame.Rejected("Unexpected identifier", 3, 7));
                return;
            }
            opened.send(new Frame.Ready());
            if (broken) {
                exit(WorkerExit.NOT_LOADED.code());
                return;
            }
            for (Optional<Frame> frame = opened.receive(); frame.isPresent(); frame = opened.receive()) {
                if (frame.get() instanceof Frame.Batch batch) {
                    arrived(batch, opened);
                } else if (frame.get() instanceof Frame.Swap swap) {
                    swap(swap, opened);
                } else if (frame.get() instanceof Frame.Request request) {
                    Thread.ofVirtual().start(() -> answer(request, opened));
                } else {
                    awaitAnswers();
                    return;
                }
            }
        }

        private void swap(Frame.Swap swap, Link opened) throws IOException {
            if (swap.setup().source().code().contains("syntax error")) {
                opened.send(new Frame.Rejected("Unexpected identifier", 3, 7));
            } else if (swap.setup().source().code().contains("kills")) {
                exit(137);
            } else {
                source = swap.setup().source();
                opened.send(new Frame.Swapped());
            }
        }

        /** Returns the code that this worker runs, "" before it is ready. */
        public String code() {
            WorkerSetup.Source now = source;
            return now == null ? "" : now.code();
        }

        private void answer(Frame.Request request, Link opened) {
            try {
                HttpResponse response = requests.handle(request, this);
                opened.send(new Frame.Response(request.call(), Outcome.success(10), response));
            } catch (Crash e) {
                exit(137);
            } catch (IOException | InterruptedException e) {
                // killed
            }
        }

        /** Says what the events are; code that says so is never finished. */
        private void tryOut(Frame.Try attempt, Link opened) throws IOException {
            String code = attempt.setup().source().code();
            if (code.contains("syntax error")) {
                opened.send(new Frame.Rejected("Unexpected identifier", 3, 7));
            } else if (code.contains("stops")) {
                return;
            } else {
                for (Event event : attempt.events()) {
                    opened.send(new Frame.Tried(("{\"id\":\"" + event.id() + "\"}").getBytes(StandardCharsets.UTF_8)));
                }
            }
            opened.receive();
        }

        private void arrived(Frame.Batch batch, Link opened) {
            synchronized (batches) {
                batches.add(batch.events());
            }
            Observer watching = observer;
            synchronized (exited) {
                if (watching != null && living()) {
                    watching.arrived(batch.events(), this);
                }
            }
            unanswered.incrementAndGet();
            queues.computeIfAbsent(batch.thread(), thread -> {
                        BlockingQueue<Frame.Batch> queue = new LinkedBlockingQueue<>();
                        Thread.ofVirtual().start(() -> work(queue, opened));
                        return queue;
                    })
                    .add(batch);
        }

        private void work(BlockingQueue<Frame.Batch> queue, Link opened) {
            try {
                while (!exited.isDone()) {
                    Frame.Batch batch = queue.take();
                    List<Outcome> outcomes = new ArrayList<>();
                    for (Event event : batch.events()) {
                        outcomes.add(handler.handle(event, this));
                        if (exited.isDone()) {
                            return;
                        }
                        synchronized (handled) {
                            handled.add(event);
                        }
                    }
                    if (silent) {
                        continue;
                    }
                    Observer watching = observer;
                    if (watching != null) {
                        watching.answering(batch.events());
                    }
                    WorkerSetup.Source ran = Objects.requireNonNull(source);
                    opened.send(new Frame.Done(batch.batch(), batch.thread(), outcomes, ran.version()));
                    unanswered.decrementAndGet();
                    if (crashAfterAnswer) {
                        exit(137);
                    }
                }
            } catch (Crash e) {
                exit(137);
            } catch (IOException | InterruptedException e) {
                // killed
            }
        }

        private void awaitAnswers() {
            while (unanswered.get() > 0 && !exited.isDone()) {
                Thread.onSpinWait();
            }
        }
    }
}
