package io.millrace.worker.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.redis.RedisTls;
import io.millrace.testkit.RedisFixture;
import io.millrace.worker.Samples;
import io.millrace.worker.bindings.RedisStore;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerCommand;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is left to do for the first function of a process that waits for one, and for the next process. */
@Timeout(300)
class WarmProcessIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String CODE = "function OnUpdate(doc, meta) { dst[meta.id] = doc; }";

    /** It was 44; without a rehearsal and a connection it was some thousand, half of the time that the process took to start. */
    private static final int FEW = 300;

    /** Loaded when Redis has answered for the first time. */
    private static final String ANSWER = "io.millrace.documents.redis.CatalogCache$Snapshot";

    private final RedisStore store = new RedisStore(RedisFixture.url(), RedisTls.DEFAULT, "test");

    @TempDir
    private Path directory;

    private Process process;
    private Link host;

    @BeforeEach
    void start() throws IOException {
        // without the archive of classes of the processes before, which is next to the distribution
        Files.createSymbolicLink(
                directory.resolve("worker"), Path.of("target", "worker").toAbsolutePath());
        RedisFixture.flush();
        store.documents().catalog().createBucket("target", 1).join();
        try (LinkServer server = LinkServer.listen()) {
            process = new ProcessBuilder(command(server)).inheritIO().start();
            host = server.accept(PATIENCE);
        }
    }

    private List<String> command(LinkServer server) throws IOException {
        List<String> command = new ArrayList<>(worker().build(server.socket(), directory.resolve("crash")));
        command.add(command.indexOf("-cp"), "-Xlog:class+load:file=" + classes());
        return command;
    }

    private WorkerCommand worker() throws IOException {
        return WorkerCommand.of(directory.resolve("worker")).interpreted();
    }

    @AfterEach
    void end() {
        host.close();
        process.destroyForcibly();
        store.close();
    }

    @Test
    void firstFunction_findsItsClassesLoadedAndItsStoreConnected_andTheEndLeavesAnArchiveOfThem() throws Exception {
        Path archive = worker().archive().orElseThrow();
        host.send(new Frame.WarmUp());
        assertThat(host.receive()).containsInstanceOf(Frame.Hello.class);
        host.send(new Frame.Prepare(RedisFixture.url()));
        await().atMost(PATIENCE).until(() -> loaded().anyMatch(line -> line.contains(ANSWER)));
        long before = loaded().count();

        handleOneEvent();

        assertThat(loaded().count() - before).isLessThan(FEW);
        assertThat(archive).doesNotExist();

        host.send(new Frame.Shutdown());

        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(archive).isNotEmptyFile();
    }

    private void handleOneEvent() throws IOException {
        try (LinkServer server = LinkServer.listen()) {
            host.send(new Frame.Open(1, server.socket().toString()));
            try (Link link = server.accept(PATIENCE)) {
                assertThat(link.receive()).containsInstanceOf(Frame.Hello.class);
                link.send(new Frame.Init(setup(), false));
                assertThat(link.receive()).containsInstanceOf(Frame.Ready.class);
                link.send(new Frame.Batch(1, 0, List.of(Samples.event("a", 1, 0))));
                Frame answer = link.receive().orElseThrow();
                while (!(answer instanceof Frame.Done)) {
                    answer = link.receive().orElseThrow();
                }
                assertThat(((Frame.Done) answer).outcome(0).ok()).isTrue();
            }
        }
    }

    private Path classes() {
        return directory.resolve("classes");
    }

    private Stream<String> loaded() throws IOException {
        return Files.readAllLines(classes()).stream();
    }

    private static WorkerSetup setup() {
        return new WorkerSetup(
                "f",
                "instance",
                new WorkerSetup.Source(CODE, List.of("'use strict';"), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(1, 10_000, 64 << 20),
                "INFO",
                "source",
                RedisFixture.url(),
                List.of(new WorkerSetup.Alias("dst", "target", "_default", "_default", true)),
                HandlerSettings.STANDARD);
    }
}
