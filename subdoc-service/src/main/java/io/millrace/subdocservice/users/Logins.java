package io.millrace.subdocservice.users;

import io.millrace.access.Subject;
import io.millrace.memcached.sasl.ScramKeys;
import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.users.LoginOutcome;
import io.millrace.users.LoginThrottle;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The users and the check of their passwords. Thread-safe; no call blocks. */
public interface Logins {

    /** The number of hash iterations for users that have no other number. */
    int USUAL_ITERATIONS = 15_000;

    /** Returns false until the users have been read from MetaKV; no login can succeed before. */
    boolean ready();

    /** Returns the keys of a user for a mechanism, or null if there is no such user. */
    @Nullable
    ScramKeys keys(String user, ScramMechanism mechanism);

    /** Returns a secret that stands for the users that there are not; the same in all processes with these users. */
    byte[] decoyKey();

    /** Returns what changes with the password of a user, or null if there is no such user. */
    default byte @Nullable [] stamp(String user) {
        ScramKeys keys = keys(user, ScramMechanism.SCRAM_SHA512);
        return keys == null ? null : keys.storedKey();
    }

    /** Returns a user with its present roles, or nothing if there is no such user. */
    Optional<Subject> subject(String user);

    /**
     * Checks a password, unless too many logins have failed. The first successful check of a password costs a slow hash.
     *
     * @param address where the attempt comes from
     */
    CompletableFuture<LoginOutcome> logIn(String user, String password, String address);

    /** Counts the failed logins, of all doors of this process together. */
    LoginThrottle throttle();
}
