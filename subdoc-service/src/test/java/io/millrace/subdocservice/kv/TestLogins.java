package io.millrace.subdocservice.kv;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.memcached.sasl.ScramKeys;
import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.subdocservice.users.Logins;
import io.millrace.users.LoginOutcome;
import io.millrace.users.LoginThrottle;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One user whose password has a fast hash. */
final class TestLogins implements Logins {

    static final String USER = "ann";
    static final String PASSWORD = "secret";

    volatile boolean known = true;
    volatile String password = PASSWORD;

    @Override
    public byte[] decoyKey() {
        return new byte[] {1};
    }

    @Override
    public boolean ready() {
        return known;
    }

    @Override
    public @Nullable ScramKeys keys(String user, ScramMechanism mechanism) {
        return user.equals(USER) ? mechanism.derive(password, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 10) : null;
    }

    volatile List<Role> roles = List.of(Role.ADMIN);

    @Override
    public Optional<Subject> subject(String user) {
        return Optional.of(Subject.user(user, Subject.Domain.LOCAL, roles));
    }

    /** Its clock stands still, so that a lock-out does not end. */
    private final LoginThrottle throttle = new LoginThrottle(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));

    @Override
    public LoginThrottle throttle() {
        return throttle;
    }

    @Override
    public CompletableFuture<LoginOutcome> logIn(String user, String password, String address) {
        return CompletableFuture.supplyAsync(() -> {
            if (throttle.delay(user, address).isPositive()) {
                return new LoginOutcome.Locked(throttle.delay(user, address));
            }
            boolean right = user.equals(USER) && password.equals(this.password);
            if (right) {
                throttle.succeeded(user, address);
                return new LoginOutcome.Accepted(subject(user).orElseThrow());
            }
            throttle.failed(user, address);
            return new LoginOutcome.Refused();
        });
    }
}
