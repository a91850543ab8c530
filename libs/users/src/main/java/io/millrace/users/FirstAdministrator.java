package io.millrace.users;

import io.millrace.access.Role;
import java.time.Duration;
import java.util.List;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * Creates the administrator when there are no users, or sets the configured password. Several processes may do so at the
 * same time; only one creates it.
 */
public final class FirstAdministrator {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(50);

    private final UserDirectory directory;
    private final String name;
    private final String password;
    private final String firstPassword;
    private final Runnable missing;

    /**
     * @param password the password that the administrator gets at every start, unless it is blank
     * @param firstPassword the password of the administrator who is created if there are no users
     * @param missing called if there are no users and both passwords are blank, so that no login can succeed
     */
    public FirstAdministrator(
            UserDirectory directory, String name, String password, String firstPassword, Runnable missing) {
        this.directory = directory;
        this.name = name;
        this.password = password;
        this.firstPassword = firstPassword;
        this.missing = missing;
    }

    /** Starts as soon as the directory is ready, and repeats after failures. */
    public Disposable start() {
        return Mono.defer(() -> directory.ready() ? ensure().thenReturn(true) : Mono.<Boolean>empty())
                .subscribeOn(Schedulers.boundedElastic())
                .repeatWhenEmpty(rounds -> rounds.delayElements(POLL))
                .retryWhen(Retry.backoff(Long.MAX_VALUE, FIRST_PAUSE).maxBackoff(LONGEST_PAUSE))
                .subscribe();
    }

    private Mono<Void> ensure() {
        if (password.isBlank()) {
            return directory.users().isEmpty() ? createFirst() : Mono.empty();
        }
        User known = directory.find(name).orElse(null);
        if (known == null) {
            return directory.save(administrator(password));
        }
        return Mono.fromFuture(() -> directory.isPassword(known.name(), password))
                .flatMap(same -> same ? Mono.empty() : directory.save(known.withPassword(password)));
    }

    private Mono<Void> createFirst() {
        return firstPassword.isBlank()
                ? Mono.fromRunnable(missing)
                : directory.add(administrator(firstPassword)).then();
    }

    private User administrator(String chosen) {
        return User.create(name, "Administrator", List.of(Role.ADMIN), chosen);
    }
}
