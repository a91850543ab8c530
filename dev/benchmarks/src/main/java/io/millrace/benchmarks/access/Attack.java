package io.millrace.benchmarks.access;

import io.millrace.benchmarks.suite.Pace;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Sends attempts at a steady rate over many connections, until it is closed. An attempt that is late is not made up for. */
final class Attack implements AutoCloseable {

    /** What an attempt is. */
    enum Kind {
        /** A request without a login: what the traffic costs without the passwords. */
        KNOCK,
        /** A wrong password, for names that exist and names that do not. */
        GUESS
    }

    /** With fewer, attempts that wait for their answers would keep the rate down. */
    private static final int CONNECTIONS = 256;

    private final AtomicLong made = new AtomicLong();
    private final AtomicInteger in = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    /**
     * Starts.
     *
     * @param names the users who exist, whose passwords are guessed as well
     */
    Attack(Door door, Kind kind, List<InetAddress> addresses, int perSecond, List<String> names) {
        Pace pace = new Pace(perSecond);
        for (int c = 0; c < CONNECTIONS; c++) {
            int first = c;
            InetAddress from = addresses.get(c % addresses.size());
            threads.add(Thread.ofVirtual().start(() -> {
                for (long attempt = first; !ended; attempt += CONNECTIONS) {
                    attempt = series(door, kind, from, pace, attempt, names);
                }
            }));
        }
    }

    /** Uses one connection until it breaks, and returns the number of the last attempt. */
    private long series(Door door, Kind kind, InetAddress from, Pace pace, long first, List<String> names) {
        long attempt = first;
        try (Door.Guesser guesser = door.guesser(from)) {
            for (; !ended; attempt += CONNECTIONS) {
                pace.awaitTurn(attempt);
                if (kind == Kind.KNOCK) {
                    guesser.knock();
                } else if (guesser.guess(name(attempt, names), "wrong-" + attempt)) {
                    in.incrementAndGet();
                }
                made.incrementAndGet();
            }
        } catch (IOException e) {
            broken.incrementAndGet();
        }
        return attempt;
    }

    private static String name(long attempt, List<String> names) {
        return attempt % 2 == 0 ? names.get((int) (attempt / 2 % names.size())) : "absent-" + attempt;
    }

    long made() {
        return made.get();
    }

    /** Returns how many attempts were let in. */
    int in() {
        return in.get();
    }

    /** Returns how many connections the server has closed. */
    int broken() {
        return broken.get();
    }

    @Override
    public void close() {
        ended = true;
        for (Thread thread : threads) {
            LockSupport.unpark(thread);
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
