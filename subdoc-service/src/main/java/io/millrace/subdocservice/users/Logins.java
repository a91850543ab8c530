package io.millrace.subdocservice.users;

import io.millrace.memcached.sasl.ScramKeys;
import io.millrace.memcached.sasl.ScramMechanism;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Who may log in, and how that is found out. Thread-safe; no call blocks. */
public interface Logins {

    /** How often a password is hashed, as far as nothing else is known of a user. */
    int USUAL_ITERATIONS = 15_000;

    /** Returns false as long as nobody can be let in because the users are not known yet. */
    boolean ready();

    /** Returns what is kept of a user's password for a mechanism, or null when there is no such user. */
    @Nullable
    ScramKeys keys(String user, ScramMechanism mechanism);

    /** Tells whether this is the user's password. Takes the time of a hash where it has not been asked before. */
    CompletableFuture<Boolean> verify(String user, String password);
}
