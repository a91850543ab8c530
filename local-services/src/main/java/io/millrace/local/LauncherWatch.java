package io.millrace.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Notices the end of the launcher, also when it was killed: the launcher holds the other end of the standard input of this process
 * and writes nothing to it.
 */
final class LauncherWatch {

    /** The launcher sets this system property. Others may start the process with an empty input. */
    static final String PROPERTY = "millrace.ends-with-launcher";

    private LauncherWatch() {}

    /** Runs something once when the input has ended. */
    static void start(InputStream input, Runnable atEnd) {
        Thread.ofPlatform().daemon().name("launcher-watch").start(() -> {
            awaitEnd(input);
            atEnd.run();
        });
    }

    private static void awaitEnd(InputStream input) {
        try {
            input.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // an input that cannot be read has ended
        }
    }
}
