package io.millrace.users;

import java.time.Duration;

/** The limits of logins. */
public final class UsersLimits {

    /** Wrong passwords of one user from one address before the pair is locked out. */
    public static final int MAX_FAILURES_OF_PAIR = 5;

    /** The first lock-out of a user at an address; each further failure doubles it. */
    public static final Duration FIRST_LOCKOUT = Duration.ofSeconds(1);

    /** The longest lock-out of a user at an address. */
    public static final Duration LONGEST_LOCKOUT = Duration.ofMinutes(5);

    /** How long failures are remembered after the last one. */
    public static final Duration FAILURES_KEPT = Duration.ofMinutes(15);

    /** Failures of one address within {@link #WINDOW}, over all users. */
    public static final int MAX_FAILURES_OF_ADDRESS = 100;

    /** Failures of one user within {@link #WINDOW} from all addresses; after that, one attempt a second is checked. */
    public static final int MAX_FAILURES_OF_USER = 20;

    /** The window in which failures of an address or a user count. */
    public static final Duration WINDOW = Duration.ofMinutes(1);

    /** The pairs, addresses and users whose failures are remembered; the oldest are forgotten. */
    static final int MAX_REMEMBERED = 20_000;

    /** The longest name of a user, the full name and the name for logins alike, in characters. */
    public static final int MAX_NAME_CHARS = 128;

    /** Password checks that may wait for the thread that hashes. */
    static final int MAX_WAITING = 1000;

    /** Password checks of one address that may wait, apart from those of users who have logged in from there before. */
    static final int MAX_WAITING_OF_ADDRESS = 2;

    /** The hash iterations of new passwords. */
    public static final int ITERATIONS = 15_000;

    /** The most roles of a user or an API key; they travel in a header. */
    public static final int MAX_ROLES = 64;

    /** How often a change of a user is repeated because another change came between. */
    static final int MAX_CONFLICTS = 16;

    /** The longest description of an API key. */
    public static final int MAX_DESCRIPTION_CHARS = 200;

    /** The shortest password. */
    public static final int MIN_PASSWORD_CHARS = 6;

    /** How exactly the last use of an API key is known. */
    static final Duration LAST_USE_PRECISION = Duration.ofMinutes(10);

    /** The longest body of a request with a user and a password, in bytes. */
    public static final int MAX_LOGIN_BYTES = 16 * 1024;

    private UsersLimits() {}
}
