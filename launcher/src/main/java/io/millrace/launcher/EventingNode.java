package io.millrace.launcher;

import java.net.URI;
import java.nio.file.Path;

/** One more eventing node of a suite, as a process. Unlike the suite's own it is not started again when it ends. */
public final class EventingNode implements AutoCloseable {

    private final String id;
    private final ServiceProcess process;
    private final Path log;

    EventingNode(String id, ServiceProcess process, Path log) {
        this.id = id;
        this.process = process;
        this.log = log;
    }

    /** What it is called in the cluster. */
    public String id() {
        return id;
    }

    public URI url() {
        return process.url();
    }

    public long pid() {
        return process.pid();
    }

    /** Where its output goes. */
    public Path log() {
        return log;
    }

    /** Ends it as a crash does; its workers notice by themselves. */
    public void kill9() throws InterruptedException {
        process.kill9();
    }

    /** Asks it to end and waits: it gives up its vbuckets first. */
    @Override
    public void close() {
        process.end();
    }
}
