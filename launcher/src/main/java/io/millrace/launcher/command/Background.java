package io.millrace.launcher.command;

import io.millrace.launcher.FileFailure;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.suite.SuiteState;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Runs {@code up} in a process that outlives this one and the terminal. */
final class Background {

    static final String CHILD_OPTION = "--in-background";

    private static final String PREFIX = "millrace: ";
    private static final Duration POLL = Duration.ofMillis(100);

    private final Workspace workspace;
    private final Output output;

    Background(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    /**
     * Starts a suite and waits until it is ready. If this JVM is terminated before, the suite ends too.
     *
     * @throws LauncherException if it is not started; the message ends with what it said
     */
    SuiteState start(int portOffset, boolean open, boolean tls) {
        Optional<SuiteState> running = SuiteState.find(workspace.data());
        if (running.isPresent()) {
            throw new LauncherException(
                    "Millrace already runs at " + running.get().gateway() + ", in the data directory "
                            + workspace.data() + ". './millrace stop' stops it.");
        }
        Path log = workspace.logs().resolve("launcher.log");
        Process process = launch(log, portOffset, open, tls);
        Thread ender = new Thread(() -> end(process), "background-ender");
        Runtime.getRuntime().addShutdownHook(ender);
        output.say("Starting in the background; its messages are in " + log);
        while (process.isAlive()) {
            Optional<SuiteState> state = SuiteState.find(workspace.data()).filter(SuiteState::ready);
            if (state.isPresent() && state.get().pid() == process.pid()) {
                Runtime.getRuntime().removeShutdownHook(ender);
                return state.get();
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        Runtime.getRuntime().removeShutdownHook(ender);
        throw new LauncherException("The start failed: " + said(log));
    }

    private Process launch(Path log, int portOffset, boolean open, boolean tls) {
        List<String> command = new ArrayList<>(List.of(
                // the terminal's end does not end it
                "nohup", Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m"));
        command.add("-Dmillrace.root=" + workspace.root());
        command.add("-Dmillrace.home=" + workspace.home());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "up"));
        command.addAll(List.of(CHILD_OPTION, "--port-offset", Integer.toString(portOffset)));
        if (open) {
            command.add("--open");
        }
        if (tls) {
            command.add("--tls");
        }
        try {
            Files.createDirectories(workspace.logs());
            return new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(log.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new LauncherException("Cannot start Millrace in the background: " + FileFailure.of(e), e);
        }
    }

    private static void end(Process process) {
        process.destroy();
        process.onExit().join();
    }

    /** Returns the failure that a launcher ended with. */
    private static String said(Path log) {
        try {
            String text = Files.readString(log).strip();
            return text.substring(text.lastIndexOf(PREFIX) + (text.contains(PREFIX) ? PREFIX.length() : 1));
        } catch (IOException e) {
            return "(" + log + " cannot be read: " + e.getMessage() + ")";
        }
    }
}
