package io.millrace.handler;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The engine that all tests of a JVM share. */
final class Engines {
    static final List<String> STUCK = new CopyOnWriteArrayList<>();

    private static final HandlerEngine SHARED = HandlerEngine.start(MemoryQueries::read, STUCK::add);

    private Engines() {}

    static HandlerEngine shared() {
        return SHARED;
    }
}
