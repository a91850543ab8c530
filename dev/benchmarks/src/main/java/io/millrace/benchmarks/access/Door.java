package io.millrace.benchmarks.access;

import java.io.IOException;
import java.net.InetAddress;

/** A way into the suite that asks for a password. */
interface Door {

    /** A connection of an attacker. Not thread-safe. */
    interface Guesser extends AutoCloseable {

        /** Tries to log in; returns whether it was let in. */
        boolean guess(String user, String password) throws IOException;

        /** Sends as many requests as {@link #guess}, without a password; they are refused. */
        void knock() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** A connection of a user who has logged in. Not thread-safe. */
    interface Visitor extends AutoCloseable {

        /** Makes some requests and returns how many; fails if one is refused. */
        int work() throws IOException;

        @Override
        void close() throws IOException;
    }

    Guesser guesser(InetAddress from) throws IOException;

    Visitor visitor() throws IOException;
}
