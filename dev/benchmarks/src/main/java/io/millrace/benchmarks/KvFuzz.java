package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MalformedFrames;
import io.millrace.memcached.client.MemcachedClient;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.SocketException;
import java.time.Duration;

/**
 * Sends malformed frames to a running suite. A round is one connection; the server must answer or close each, and keep
 * serving another client. Prints the seed of a round that violates this.
 */
final class KvFuzz {

    private static final String BUCKET = "fuzz";
    private static final int FRAMES = 200;
    private static final int ROUNDS_BETWEEN_LINES = 500;

    private final Duration length;
    private final PrintStream out;

    KvFuzz(Duration length, PrintStream out) {
        this.length = length;
        this.out = out;
    }

    void run() throws IOException {
        try (KvSuite suite = KvSuite.start()) {
            suite.createBucket(BUCKET);
            long pid = suite.processes().getOrDefault("subdoc-service", 0L);
            long end = System.nanoTime() + length.toNanos();
            long answers = 0;
            long seed = 0;
            try (MemcachedClient bystander = suite.open(BUCKET)) {
                for (; System.nanoTime() < end; seed++) {
                    answers += round(suite, seed);
                    if (bystander.call(Call.of(Opcode.NOOP)).status() != Status.SUCCESS) {
                        throw new IOException("The server stopped serving another client after seed " + seed);
                    }
                    if (seed % ROUNDS_BETWEEN_LINES == 0) {
                        out.printf(
                                "%,d rounds, %,d answers, %,d MiB resident%n",
                                seed, answers, ProcessUsage.residentMiB(pid));
                    }
                }
            }
            long now = suite.processes().getOrDefault("subdoc-service", 0L);
            out.printf(
                    "%,d rounds of %d frames, %,d answers, %,d MiB resident, %s%n",
                    seed,
                    FRAMES,
                    answers,
                    ProcessUsage.residentMiB(now),
                    now == pid ? "the process survived" : "THE PROCESS CRASHED AND WAS RESTARTED");
        }
    }

    private static int round(KvSuite suite, long seed) throws IOException {
        MalformedFrames frames = new MalformedFrames(seed);
        int answers = 0;
        try (MemcachedClient client = frames.oneIn(4) ? suite.connect() : suite.open(BUCKET, frames.features())) {
            for (int i = 0; i < FRAMES; i++) {
                client.sendRaw(frames.next());
            }
            client.endSending();
            while (true) {
                client.receive();
                answers++;
            }
        } catch (EOFException | SocketException closed) {
            return answers;
        } catch (IOException e) {
            throw new IOException("The server neither answered nor closed the connection: seed " + seed, e);
        }
    }
}
