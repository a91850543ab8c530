package io.millrace.eventing.producer;

import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.eventing.checkpoint.Checkpoint;
import io.millrace.eventing.consumer.FakeWorkers;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.Membership;
import io.millrace.rebalance.Layout;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The life of one function on two nodes, drawn from a seed: it is deployed, swapped, paused, resumed, undeployed and moved
 * between the nodes, and its workers are killed and renewed, while documents change. Checks what delivery promises:
 *
 * <ul>
 *   <li>states of a document come to workers in their order; an older one comes later only if it came before,
 *   <li>nothing comes to a worker of a function that is paused or undeployed,
 *   <li>whenever nothing changes for a while, the last state of each document has been handled since the last deployment, and
 *       the checkpoints say so; a pause or a move that came before would hide that an event was lost, as it reads it again,
 *   <li>in the end the last state of each document was the last to come.
 * </ul>
 */
final class RandomLife implements AutoCloseable, FakeWorkers.Observer {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final int STEPS = 14;

    /** So long that most deaths find events in flight. */
    private static final long HANDLING_NANOS = 1_000_000;

    private static final int DOCUMENTS = 30;
    private static final int MOST_WRITES = 60;

    /** Enough to occupy every thread of the workers. */
    private static final int BURST = 20;

    private static final List<List<String>> NODES = List.of(List.of("a"), List.of("b"), List.of("a", "b"));

    private enum State {
        UNDEPLOYED,
        DEPLOYED,
        PAUSED
    }

    private final long seed;
    private final Random random;
    private final Fixture fixture = new Fixture();
    private final AtomicReference<Layout> layout = new AtomicReference<>(Layout.contiguous("1", List.of("a", "b")));
    private final SuperSupervisor a = node("a");
    private final SuperSupervisor b = node("b");
    private final List<String> steps = new ArrayList<>();
    private FunctionSpec spec = Fixture.spec();
    private State state = State.UNDEPLOYED;
    private int layouts = 1;
    private int deployedAt;

    // guarded by this
    private final Map<String, List<Long>> came = new HashMap<>();
    private long arrivals;
    private boolean quiet = true;
    private @Nullable String broken;

    RandomLife(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        fixture.workers.observedBy(this);
        fixture.workers.handling((event, life) -> {
            LockSupport.parkNanos(HANDLING_NANOS);
            return Outcome.success(10);
        });
    }

    private SuperSupervisor node(String name) {
        Membership membership = () -> Objects.requireNonNull(layout.get());
        return fixture.newSupervisor(name, membership, fixture.checkpoints, LEASE);
    }

    /** Lives, and returns what happened. Fails with the seed and the steps until then when a promise was broken. */
    String run() {
        try {
            for (int step = 0; step < STEPS; step++) {
                write();
                take();
                check();
            }
            end();
            check();
        } catch (ConditionTimeoutException | CompletionException e) {
            throw new AssertionError(told("did not get there: " + e.getMessage()), e);
        }
        return told("kept its promises");
    }

    private String told(String what) {
        return "life %d %s; steps: %s".formatted(seed, what, String.join(", ", steps));
    }

    private void write() {
        for (int left = random.nextInt(MOST_WRITES); left > 0; left--) {
            fixture.put("d" + random.nextInt(DOCUMENTS));
        }
    }

    private void take() {
        switch (state) {
            case UNDEPLOYED -> deploy();
            case PAUSED -> {
                if (random.nextInt(4) == 0) {
                    undeploy();
                } else {
                    resume();
                }
            }
            case DEPLOYED -> {
                switch (random.nextInt(10)) {
                    case 0 -> pause();
                    case 1 -> undeploy();
                    case 2, 3 -> swap();
                    case 4, 5 -> kill();
                    case 6 -> renew();
                    default -> rebalance();
                }
                if (state == State.DEPLOYED && random.nextBoolean()) {
                    settle();
                }
            }
        }
    }

    private void deploy() {
        steps.add("deploy");
        deployedAt = fixture.workers.handled().size();
        synchronized (this) {
            came.clear();
        }
        start();
    }

    private void resume() {
        steps.add("resume");
        start();
    }

    private void start() {
        synchronized (this) {
            quiet = false;
        }
        both(node -> node.start(spec, null));
        state = State.DEPLOYED;
    }

    private void stop(State next) {
        both(node -> node.stop(spec.name()));
        synchronized (this) {
            quiet = true;
        }
        state = next;
    }

    private interface Call {
        CompletableFuture<Void> on(SuperSupervisor node);
    }

    private void both(Call call) {
        CompletableFuture.allOf(call.on(a), call.on(b)).join();
    }

    private void pause() {
        steps.add("pause");
        stop(State.PAUSED);
    }

    private void undeploy() {
        steps.add("undeploy");
        stop(State.UNDEPLOYED);
        a.remove(spec).join();
    }

    /** Where the new code cannot be taken without a pause, such as by a worker that has just died, there is one. */
    private void swap() {
        FunctionSpec next = version(spec.version() + 1);
        boolean swapped = Stream.of(a, b).allMatch(node -> swapped(node, next));
        steps.add(swapped ? "swap" : "swap with a pause");
        spec = next;
        if (!swapped) {
            stop(State.PAUSED);
            start();
        }
    }

    private FunctionSpec version(long version) {
        return spec.withVersion(version).withCode("function OnUpdate(doc, meta) { %d; }".formatted(version));
    }

    private static boolean swapped(SuperSupervisor node, FunctionSpec next) {
        try {
            node.swap(next).join();
            return true;
        } catch (CompletionException e) {
            return false;
        }
    }

    /** Kills a worker, or several at once, as the end of their process does. */
    private void kill() {
        List<FakeWorkers.Life> living = fixture.workers.lives().stream()
                .filter(life -> !life.exited().isDone())
                .toList();
        int chosen = random.nextInt(Math.max(1, living.size()));
        List<FakeWorkers.Life> killed = living.stream()
                .filter(life -> random.nextBoolean() || life == living.get(chosen))
                .toList();
        steps.add("kill " + killed.size());
        burst();
        killed.forEach(FakeWorkers.Life::kill);
    }

    /** Has workers at work. */
    private void burst() {
        long before = arrivals();
        for (int written = 0; written < BURST; written++) {
            fixture.put("d" + random.nextInt(DOCUMENTS));
        }
        await().atMost(PATIENCE).until(() -> arrivals() > before);
    }

    private synchronized long arrivals() {
        return arrivals;
    }

    /** Replaces some workers while they serve, as the renewal of their process does. */
    private void renew() {
        List<FakeWorkers.Life> renewed = fixture.workers.lives().stream()
                .filter(life -> !life.exited().isDone() && random.nextBoolean())
                .toList();
        steps.add("renew " + renewed.size());
        renewed.forEach(FakeWorkers.Life::renew);
    }

    private void rebalance() {
        List<String> nodes = NODES.get(random.nextInt(NODES.size()));
        steps.add("move to " + nodes);
        layout.set(Layout.contiguous(String.valueOf(++layouts), nodes));
    }

    private void end() {
        if (state != State.DEPLOYED) {
            take();
        }
        if (state == State.UNDEPLOYED) {
            take();
        }
        settle();
        synchronized (this) {
            last().forEach((id, seqno) -> {
                if (came.getOrDefault(id, List.of(0L)).getLast() < seqno) {
                    broken = "an older state of %s came last".formatted(id);
                }
            });
        }
    }

    /** Waits, while nothing changes, until every document has been handled and nothing is outstanding. */
    private void settle() {
        steps.add("catch up");
        await().atMost(PATIENCE)
                .until(() ->
                        broken() != null || missing().isEmpty() && outstanding().isEmpty());
    }

    /** Returns the documents whose last state no checkpoint covers: after a crash they would be handled again. */
    private Set<String> outstanding() {
        Map<Integer, Long> saved = fixture.checkpoints.read(spec.checkpoints()).join().stream()
                .collect(Collectors.toMap(Checkpoint::vbucket, Checkpoint::seqno));
        return last().entrySet().stream()
                .filter(document -> saved.getOrDefault(vbucket(document.getKey()), 0L) < document.getValue())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static int vbucket(String id) {
        return new DocumentKey(Keyspace.of(Fixture.BUCKET), id).vbucket();
    }

    /** Returns the documents whose last state has not been handled since the deployment. */
    private Set<String> missing() {
        List<Event> handled = fixture.workers.handled();
        Map<String, Long> newest = handled.subList(deployedAt, handled.size()).stream()
                .collect(Collectors.toMap(Event::id, Event::seqno, Math::max));
        return last().entrySet().stream()
                .filter(document -> newest.getOrDefault(document.getKey(), 0L) < document.getValue())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private Map<String, Long> last() {
        Map<String, Long> last = new HashMap<>();
        for (int n = 0; n < DOCUMENTS; n++) {
            String id = "d" + n;
            fixture.documents
                    .get(new DocumentKey(Keyspace.of(Fixture.BUCKET), id))
                    .join()
                    .ifPresent(document -> last.put(id, document.seqno()));
        }
        return last;
    }

    @Override
    public synchronized void arrived(List<Event> events, FakeWorkers.Life life) {
        arrivals++;
        for (Event event : events) {
            List<Long> before = came.computeIfAbsent(event.id(), first -> new ArrayList<>());
            if (quiet) {
                broken = "%s came to a function that is not deployed".formatted(event.id());
            } else if (!before.isEmpty() && event.seqno() < before.getLast() && !before.contains(event.seqno())) {
                broken = "state %d of %s came first after state %d"
                        .formatted(event.seqno(), event.id(), before.getLast());
            }
            before.add(event.seqno());
        }
    }

    @Override
    public void answering(List<Event> events) {}

    private synchronized @Nullable String broken() {
        return broken;
    }

    private void check() {
        String what = broken();
        if (what != null) {
            throw new AssertionError(told("broke a promise: " + what));
        }
    }

    @Override
    public void close() {
        a.close();
        b.close();
        fixture.close();
    }
}
