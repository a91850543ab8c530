package io.millrace.worker.host;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.millrace.handler.HandlerEngine;
import io.millrace.worker.ProcessResources;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.WorkerCommand;
import io.millrace.workerprotocol.WorkerExit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;

/**
 * A host, that is a process for workers: {@code java ... io.millrace.worker.host.Main <socket>}, started by the eventing
 * service.
 */
final class Main {

    /** That the client reconnects is reported by {@code RedisStore}: once, and without a stack. */
    private static final String LOGGING = """
            handlers = java.util.logging.ConsoleHandler
            .level = WARNING
            io.lettuce.core.protocol.ConnectionWatchdog.level = OFF
            """;

    private Main() {}

    public static void main(String[] args) {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) ->
                exit(WorkerExit.DEFECT, "Thread '%s' failed".formatted(thread.getName()), failure));
        System.setProperty("slf4j.internal.verbosity", "ERROR"); // there is no provider, and none is needed
        if (args.length != 1) {
            exit(WorkerExit.USAGE, "The only argument is the path of the socket to connect to", null);
        }
        try {
            LogManager.getLogManager()
                    .readConfiguration(new ByteArrayInputStream(LOGGING.getBytes(StandardCharsets.UTF_8)));
            Path socket = Path.of(args[0]);
            Link link = Link.connect(socket);
            ProcessResources resources = ProcessResources.start(
                    heapBytes(), WorkerCommand.connectionName(socket), why -> exit(WorkerExit.STUCK, why, null));
            new Host(link, resources, Main::exit).serve(runtime(resources.runtime()));
        } catch (IOException e) {
            exit(WorkerExit.USAGE, "Cannot connect to the service at " + args[0], e);
        }
    }

    /** Returns the size of the heap as it was asked for; {@link Runtime#maxMemory} leaves a part of it out. */
    private static long heapBytes() {
        var machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return Long.parseLong(machine.getVMOption("MaxHeapSize").getValue());
    }

    private static String runtime(HandlerEngine.RuntimeReport report) {
        String why = System.getProperty(WorkerCommand.REASON_PROPERTY, "");
        boolean explained = !report.optimized() && !why.isEmpty();
        return explained ? "interpreted: " + why : report.describe();
    }

    /** Halts, so that no further write leaves; only a regular end runs shutdown hooks. */
    private static void exit(WorkerExit why, String message, @Nullable Throwable cause) {
        if (why == WorkerExit.DONE) {
            System.exit(why.code());
        }
        if (why == WorkerExit.PEER_GONE) { // the pipe has no reader, and printing may block
            Runtime.getRuntime().halt(why.code());
        }
        System.err.printf(
                "event=worker_exit code=%d reason=\"%s\" message=\"%s\"%n", why.code(), why.reason(), message);
        if (cause != null) {
            cause.printStackTrace();
        }
        System.err.flush();
        Runtime.getRuntime().halt(why.code());
    }
}
