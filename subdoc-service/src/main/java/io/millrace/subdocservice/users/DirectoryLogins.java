package io.millrace.subdocservice.users;

import io.millrace.access.Subject;
import io.millrace.memcached.sasl.ScramKeys;
import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.users.LoginOutcome;
import io.millrace.users.LoginThrottle;
import io.millrace.users.UserDirectory;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Logins of the users in MetaKV. */
final class DirectoryLogins implements Logins {

    private final UserDirectory directory;
    private final byte[] decoyKey;

    DirectoryLogins(UserDirectory directory, byte[] decoyKey) {
        this.directory = directory;
        this.decoyKey = decoyKey;
    }

    @Override
    public byte[] decoyKey() {
        return decoyKey;
    }

    @Override
    public boolean ready() {
        return directory.ready();
    }

    @Override
    public @Nullable ScramKeys keys(String user, ScramMechanism mechanism) {
        return directory.find(user).map(found -> found.keys().get(mechanism)).orElse(null);
    }

    @Override
    public Optional<Subject> subject(String user) {
        return directory.subject(user);
    }

    @Override
    public CompletableFuture<LoginOutcome> logIn(String user, String password, String address) {
        return directory.logIn(user, password, address);
    }

    @Override
    public LoginThrottle throttle() {
        return directory.throttle();
    }
}
