package io.millrace.subdocservice.kv;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.memcached.sasl.ScramKeys;
import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.subdocservice.users.Logins;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One user whose password has a fast hash. */
final class TestLogins implements Logins {

    static final String USER = "ann";
    static final String PASSWORD = "secret";

    volatile boolean known = true;

    @Override
    public boolean ready() {
        return known;
    }

    @Override
    public @Nullable ScramKeys keys(String user, ScramMechanism mechanism) {
        return user.equals(USER) ? mechanism.derive(PASSWORD, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 10) : null;
    }

    volatile List<Role> roles = List.of(Role.ADMIN);

    @Override
    public Optional<Subject> subject(String user) {
        return Optional.of(Subject.user(user, Subject.Domain.LOCAL, roles));
    }

    @Override
    public CompletableFuture<Boolean> verify(String user, String password) {
        return CompletableFuture.supplyAsync(() -> user.equals(USER) && password.equals(PASSWORD));
    }
}
