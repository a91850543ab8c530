package io.millrace.benchmarks.lives;

import io.millrace.benchmarks.suite.FunctionsClient;
import io.millrace.documents.ChangePage;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.Write;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The life of one function, drawn from a seed. It keeps these promises, or fails with {@link BrokenPromise}:
 *
 * <ul>
 *   <li>no document that the function writes goes back to an earlier state,
 *   <li>nothing is written while the function is paused or undeployed,
 *   <li>each request for another state is carried out, whatever was killed meanwhile,
 *   <li>whenever nothing changes for a while, every document has been handled in its last state; a pause or a move that came before
 *       would hide that a change was lost, as it reads it again,
 *   <li>in the end every document has been handled in its last state, and the version that was saved last handles what comes.
 * </ul>
 */
final class Life {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final int STEPS = 8;
    private static final int DOCUMENTS = 30;
    private static final int MOST_WRITES = 60;

    /** Enough to have changes in flight when a process is killed right after them. */
    private static final int BURST = 40;

    private static final int PAGE = 1_000;
    private static final String PROBE = "probe";
    private static final JsonMapper JSON = new JsonMapper();

    private enum State {
        UNDEPLOYED,
        DEPLOYED,
        PAUSED
    }

    private final LivesNode node;
    private final FunctionsClient functions;
    private final Random random;
    private final String name;
    private final String source;
    private final String handled;
    private final Map<String, Long> last = new HashMap<>();
    private final Results results = new Results();
    private final List<String> steps = new ArrayList<>();
    private State state = State.UNDEPLOYED;
    private long version = 1;
    private long number;
    private long readTo;

    /** How many results have been read, and how many when the function had stopped. */
    private long seen;

    private long seenAtStop;

    Life(long seed, LivesNode node) {
        this.node = node;
        this.functions = node.functions();
        this.random = new Random(seed);
        this.name = "life" + seed;
        this.source = name + "-source";
        this.handled = name + "-handled";
    }

    /** Returns what has happened so far, in words. */
    String steps() {
        return String.join(", ", steps);
    }

    void run() throws IOException, InterruptedException {
        node.createBucket(source);
        node.createBucket(handled);
        save();
        for (int step = 0; step < STEPS; step++) {
            write();
            take();
            read();
        }
        end();
        reach("undeploy", "undeployed");
        node.dropBucket(source);
        node.dropBucket(handled);
    }

    private void save() throws InterruptedException {
        await("the function is saved", () -> functions.save(name, definition()) == 200);
    }

    private String definition() {
        String code = """
                function OnUpdate(doc, meta) {
                  for (const until = Date.now() + 2; Date.now() < until;) {}
                  handled[meta.id] = {n: doc.n, version: %d};
                }
                """.formatted(version);
        String text = FunctionsClient.definition(name, code, source, handled, LivesNode.METADATA, Map.of());
        return text.replace("\"alias\":\"" + handled + "\"", "\"alias\":\"handled\"");
    }

    private void write() {
        write(random.nextInt(MOST_WRITES));
    }

    private void write(int count) {
        for (int left = count; left > 0; left--) {
            write("d" + random.nextInt(DOCUMENTS));
        }
    }

    private void write(String id) {
        long next = ++number;
        byte[] body = "{\"n\":%d}".formatted(next).getBytes(StandardCharsets.UTF_8);
        node.store()
                .write(Write.upsert(new DocumentKey(Keyspace.of(source), id), body))
                .join();
        last.put(id, next);
    }

    private void take() throws IOException, InterruptedException {
        switch (state) {
            case UNDEPLOYED -> start("deploy");
            case PAUSED -> {
                if (random.nextInt(4) == 0) {
                    stop("undeploy", State.UNDEPLOYED);
                } else {
                    start("resume");
                }
            }
            case DEPLOYED -> {
                switch (random.nextInt(10)) {
                    case 0, 1 -> stop("pause", State.PAUSED);
                    case 2 -> stop("undeploy", State.UNDEPLOYED);
                    case 3, 4 -> swap();
                    case 5, 6 -> {
                        write(BURST);
                        steps.add(node.killHost(random) ? "kill a worker process" : "kill no worker process");
                    }
                    case 7 -> {
                        write(BURST);
                        steps.add("kill the node");
                        node.killNode();
                    }
                    default -> rebalance();
                }
                if (state == State.DEPLOYED && random.nextBoolean()) {
                    catchUp();
                }
            }
        }
    }

    private void start(String change) throws IOException, InterruptedException {
        checkQuiet();
        steps.add(change);
        reach(change, "deployed");
        state = State.DEPLOYED;
    }

    private void stop(String change, State next) throws IOException, InterruptedException {
        steps.add(change);
        reach(change, next == State.PAUSED ? "paused" : "undeployed");
        state = next;
        read();
        seenAtStop = seen;
        write();
    }

    private void checkQuiet() throws IOException {
        read();
        if (seen != seenAtStop) {
            throw new BrokenPromise("the function handled something although it was " + state);
        }
    }

    private void swap() throws InterruptedException {
        version++;
        steps.add("swap");
        await("version " + version + " is saved", () -> functions.deploy(name, definition()) == 200);
    }

    private void rebalance() throws InterruptedException {
        if (!node.hasOther()) {
            steps.add("a node joins");
            node.join();
        } else {
            boolean inOrder = random.nextBoolean();
            steps.add(inOrder ? "a node leaves" : "a node dies");
            node.leave(inOrder);
        }
    }

    private void end() throws IOException, InterruptedException {
        if (state != State.DEPLOYED) {
            start(state == State.PAUSED ? "resume" : "deploy");
        }
        catchUp();
        await("version " + version + " handles what comes", () -> {
            write(PROBE);
            read();
            return results.versionOf(PROBE) == version;
        });
        await("the probe is handled in its last state", () -> {
            read();
            return results.missing(last) == 0;
        });
    }

    /** Waits, while nothing changes, until everything is handled. */
    private void catchUp() throws InterruptedException {
        steps.add("catch up");
        await("every document is handled in its last state", () -> {
            read();
            return results.missing(last) == 0;
        });
    }

    /** Reads what was handled since the last call. */
    private void read() throws IOException {
        for (boolean more = true; more; ) {
            ChangePage page = node.store()
                    .page(handled, 0, new ChangePage.Request(readTo, false, PAGE, true))
                    .join();
            readTo = page.position();
            more = page.more();
            seen += page.mutations().size();
            for (Mutation mutation : page.mutations()) {
                JsonNode document = JSON.readTree(mutation.document().body());
                Results.Handled next = new Results.Handled(
                        document.path("n").asLong(), document.path("version").asLong());
                results.take(mutation.document().key().id(), next).ifPresent(wrong -> {
                    throw new BrokenPromise(wrong);
                });
            }
        }
    }

    /** Requests a state until the function has it: a request may be lost with its node, or come too early. */
    private void reach(String change, String wanted) throws IOException, InterruptedException {
        await("the function is " + wanted, () -> {
            if (functions.status(name).equals(wanted)) {
                return true;
            }
            functions.attempt(name, change);
            return false;
        });
    }

    private interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    private static void await(String what, Condition condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                if (condition.holds()) {
                    return;
                }
            } catch (IOException away) {
                // the node was killed, and is asked again
            }
            if (System.nanoTime() > end) {
                throw new BrokenPromise("%d s were not enough until %s".formatted(PATIENCE.toSeconds(), what));
            }
            LockSupport.parkNanos(LOOK.toNanos());
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
