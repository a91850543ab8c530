package io.millrace.launcher.suite;

import java.net.URI;
import java.nio.file.Path;

/** An additional eventing node of a suite. Unlike the node of the suite, it is not restarted when it ends. */
public final class EventingNode implements AutoCloseable {

    private final String id;
    private final URI url;
    private final ServiceProcess process;
    private final Path log;

    EventingNode(String id, URI url, ServiceProcess process, Path log) {
        this.id = id;
        this.url = url;
        this.process = process;
        this.log = log;
    }

    /** Returns the node's id in the cluster. */
    public String id() {
        return id;
    }

    public URI url() {
        return url;
    }

    public long pid() {
        return process.pid();
    }

    /** Returns the file that receives its output. */
    public Path log() {
        return log;
    }

    /** Kills the process, as a crash does; its workers detect that and end. */
    public void kill9() throws InterruptedException {
        process.kill9();
    }

    /** Shuts the node down, which first releases its vbuckets, and waits until it has ended. */
    @Override
    public void close() {
        process.end();
    }
}
