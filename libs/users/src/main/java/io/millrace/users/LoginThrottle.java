package io.millrace.users;

import io.millrace.users.Passwords.Standing;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts failed logins. A user at an address is locked out after {@link UsersLimits#MAX_FAILURES_OF_PAIR} failures, an
 * address after {@link UsersLimits#MAX_FAILURES_OF_ADDRESS}. A user who is attacked from many addresses is not locked out,
 * because that would let an attacker lock out anybody: attempts from addresses without an earlier success are slowed down.
 * Nor does a lock-out of an address, which may be that of a proxy, stop those who have logged in from there, until one of their own
 * logins fails: then each of their successes would allow another guess.
 * All addresses of an IPv6 network of 64 bits are one.
 * Thread-safe.
 */
public final class LoginThrottle {

    /** The groups of an IPv6 address that name the network. */
    private static final int NETWORK_GROUPS = 4;

    private record Pair(String user, String address) {
        Pair {
            user = remembered(user);
            address = network(address);
        }
    }

    private record User(String user) {
        User {
            user = remembered(user);
        }
    }

    private record Address(String address) {
        Address {
            address = network(address);
        }
    }

    private static final class Failures {
        private int count;
        private Instant first = Instant.EPOCH;
        private Instant last = Instant.EPOCH;
        private Instant lockedUntil = Instant.EPOCH;
        private boolean succeeded;

        /** Whether there was no failure since a success. */
        private boolean isAtHome() {
            return succeeded && count == 0;
        }
    }

    private final Clock clock;
    private final Map<Object, Failures> failures = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Failures> eldest) {
            return size() > UsersLimits.MAX_REMEMBERED;
        }
    };

    public LoginThrottle(Clock clock) {
        this.clock = clock;
    }

    /** Returns as much of a name as the names of users have: a client may send one of any length. */
    private static String remembered(String user) {
        return user.length() <= UsersLimits.MAX_NAME_CHARS ? user : user.substring(0, UsersLimits.MAX_NAME_CHARS);
    }

    /**
     * Returns what stands for an address, as {@link java.net.InetAddress#getHostAddress} writes it: an IPv6 client has a whole
     * network of 64 bits and could use another address for each attempt.
     */
    static String network(String address) {
        int end = -1;
        for (int group = 0; group < NETWORK_GROUPS; group++) {
            end = address.indexOf(':', end + 1);
            if (end < 0) {
                return address;
            }
        }
        return address.substring(0, end);
    }

    /** Returns how long this user must wait at this address before credentials are checked; zero if they are checked now. */
    public synchronized Duration delay(String user, String address) {
        Instant now = clock.instant();
        Failures pair = failures.get(new Pair(user, address));
        Instant until = lock(pair);
        if (pair == null || !pair.succeeded) {
            until = later(until, lock(failures.get(new User(user))));
        }
        if (pair == null || !pair.isAtHome()) {
            until = later(until, lock(failures.get(new Address(address))));
        }
        return until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO;
    }

    /** Returns what is known of a user at an address. */
    synchronized Standing standing(String user, String address) {
        Failures pair = failures.get(new Pair(user, address));
        if (pair != null && pair.succeeded) {
            return Standing.FAMILIAR;
        }
        Failures ofAddress = failures.get(new Address(address));
        return ofAddress != null
                        && ofAddress.last.plus(UsersLimits.FAILURES_KEPT).isAfter(clock.instant())
                ? Standing.FAILED
                : Standing.UNKNOWN;
    }

    /** Notes a login with wrong credentials. */
    public synchronized void failed(String user, String address) {
        Instant now = clock.instant();
        Failures pair = counted(new Pair(user, address), now, UsersLimits.FAILURES_KEPT, false);
        if (pair.count >= UsersLimits.MAX_FAILURES_OF_PAIR) {
            int doublings = Math.min(pair.count - UsersLimits.MAX_FAILURES_OF_PAIR, 16);
            Duration lock = UsersLimits.FIRST_LOCKOUT.multipliedBy(1L << doublings);
            pair.lockedUntil =
                    now.plus(lock.compareTo(UsersLimits.LONGEST_LOCKOUT) > 0 ? UsersLimits.LONGEST_LOCKOUT : lock);
        }
        Failures ofAddress = counted(new Address(address), now, UsersLimits.WINDOW, true);
        if (ofAddress.count >= UsersLimits.MAX_FAILURES_OF_ADDRESS) {
            ofAddress.lockedUntil = ofAddress.first.plus(UsersLimits.WINDOW);
        }
        Failures ofUser = counted(new User(user), now, UsersLimits.WINDOW, true);
        if (ofUser.count >= UsersLimits.MAX_FAILURES_OF_USER) {
            ofUser.lockedUntil = now.plus(UsersLimits.FIRST_LOCKOUT);
        }
    }

    /** Notes a login with the right credentials. */
    public synchronized void succeeded(String user, String address) {
        Failures pair = failures.computeIfAbsent(new Pair(user, address), key -> new Failures());
        pair.count = 0;
        pair.lockedUntil = Instant.EPOCH;
        pair.succeeded = true;
    }

    /** Counts within a period since the first failure, or since the last one. */
    private Failures counted(Object key, Instant now, Duration kept, boolean sinceFirst) {
        Failures found = failures.computeIfAbsent(key, absent -> new Failures());
        if (!(sinceFirst ? found.first : found.last).plus(kept).isAfter(now)) {
            found.count = 0;
            found.first = now;
        }
        found.count++;
        found.last = now;
        return found;
    }

    private static Instant lock(@Nullable Failures found) {
        return found == null ? Instant.EPOCH : found.lockedUntil;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
