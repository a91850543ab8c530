package io.millrace.users;

import io.millrace.access.Role;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
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
    private static final int PASSWORD_CHARS = 20;
    /** Without characters that look alike, and without those that a shell interprets. */
    private static final String ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

    private final UserDirectory directory;
    private final String name;
    private final String password;
    private final Consumer<String> generated;

    /**
     * @param password the password of the administrator; if it is blank and there are no users, one is generated
     * @param generated receives a generated password
     */
    public FirstAdministrator(UserDirectory directory, String name, String password, Consumer<String> generated) {
        this.directory = directory;
        this.name = name;
        this.password = password;
        this.generated = generated;
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
        User known = directory.find(name).orElse(null);
        if (password.isBlank()) {
            return directory.users().isEmpty() ? create(generate()) : Mono.empty();
        }
        if (known == null) {
            return directory.save(administrator(password));
        }
        return Mono.fromFuture(() -> directory.isPassword(known.name(), password))
                .flatMap(same -> same ? Mono.empty() : directory.save(known.withPassword(password)));
    }

    private Mono<Void> create(String made) {
        return directory
                .add(administrator(made))
                .doOnNext(created -> {
                    if (created) {
                        generated.accept(made);
                    }
                })
                .then();
    }

    private User administrator(String chosen) {
        return User.create(name, "Administrator", List.of(Role.ADMIN), chosen);
    }

    private static String generate() {
        SecureRandom random = new SecureRandom();
        StringBuilder password = new StringBuilder();
        for (int i = 0; i < PASSWORD_CHARS; i++) {
            password.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return password.toString();
    }
}
