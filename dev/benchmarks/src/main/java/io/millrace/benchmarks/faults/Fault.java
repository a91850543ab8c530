package io.millrace.benchmarks.faults;

import io.millrace.launcher.suite.Service;
import java.io.IOException;
import java.util.Set;

/**
 * Something that happens to a process.
 *
 * @param shut the services that cannot do their work while it lasts, and must say so
 * @param begin makes it happen, and returns as soon as it has happened
 * @param end undoes it, and returns as soon as the process works again
 * @param passes whether it ends without that, so that {@code end} only waits
 */
record Fault(String name, Meanwhile meanwhile, Set<Service> shut, Step begin, End end, boolean passes) {

    /** Returns a fault that lasts until it is undone. */
    static Fault lasting(String name, Meanwhile meanwhile, Set<Service> shut, Step begin, Step end) {
        End undone = () -> {
            long until = System.nanoTime();
            end.run();
            return until;
        };
        return new Fault(name, meanwhile, shut, begin, undone, false);
    }

    /** Returns a fault that ends by itself. */
    static Fault passing(String name, Meanwhile meanwhile, Set<Service> shut, Step begin, End awaitEnd) {
        return new Fault(name, meanwhile, shut, begin, awaitEnd, true);
    }

    /** What clients may expect while a fault lasts. */
    enum Meanwhile {
        /** They notice nothing. */
        NOTHING(false, true, true),
        /** Health tells that something is away or full; reads are answered. */
        READS_ONLY(true, true, true),
        /** Health tells it, and requests are refused soon. */
        NO_DOCUMENTS(true, false, true),
        /** The door itself is shut: nothing can answer. */
        NO_ANSWERS(true, false, false);

        /** Whether health must not say that all is well. */
        final boolean unhealthy;

        final boolean reads;

        /** Whether there is something that can end a request in time. */
        final boolean answers;

        Meanwhile(boolean unhealthy, boolean reads, boolean answers) {
            this.unhealthy = unhealthy;
            this.reads = reads;
            this.answers = answers;
        }
    }

    /** A part of a fault. */
    interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** Its end. */
    interface End {
        /** Returns until when it certainly lasted, by {@link System#nanoTime()}. */
        long run() throws IOException, InterruptedException;
    }
}
