package io.millrace.worker.sql;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A PostgreSQL that can be killed and started again with its data, on the same port. */
final class Postgres implements AutoCloseable {

    private final Path data;
    private final int port;
    private EmbeddedPostgres server;

    private Postgres(Path data, int port) throws IOException {
        this.data = data;
        this.port = port;
        this.server = start();
    }

    static Postgres start(Path data) throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            int port = free.getLocalPort();
            free.close();
            return new Postgres(data, port);
        }
    }

    private EmbeddedPostgres start() throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("synchronous_commit", "on") // what was committed must survive its death
                .setServerConfig("fsync", "on")
                .setPort(port)
                .start();
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    int port() {
        return port;
    }

    /** Kills its processes, as by kill -9, and waits until they have ended. */
    void kill() throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
        ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
        List<ProcessHandle> all = postmaster.descendants().toList();
        postmaster.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        postmaster.onExit().join();
        all.forEach(each -> each.onExit().join());
    }

    void restart() throws IOException {
        server.close(); // gives the lock on the directory back
        server = start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
