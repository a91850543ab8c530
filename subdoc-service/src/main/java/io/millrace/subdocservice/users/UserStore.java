package io.millrace.subdocservice.users;

import io.millrace.access.Subject;
import io.millrace.memcached.sasl.ScramKeys;
import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.millrace.metakv.MetakvEntry;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * The users in MetaKV below {@value #DIRECTORY}, kept up to date by a watch. If there are no users, the first process
 * creates an administrator; only one process succeeds.
 */
final class UserStore implements Logins, AutoCloseable {

    static final String DIRECTORY = "/users/";

    private static final Logger LOG = LoggerFactory.getLogger(UserStore.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final int PASSWORD_CHARS = 20;
    /** Without characters that look alike, and without those that a shell interprets. */
    private static final String ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

    private final MetakvClient metakv;
    private final UsersSettings settings;
    private final Consumer<String> generated;
    private final Passwords passwords = new Passwords();
    private final Map<String, User> users = new ConcurrentHashMap<>();
    private final Disposable.Composite work = Disposables.composite();
    private volatile boolean ready;

    /** @param generated receives the generated password of the first administrator */
    UserStore(MetakvClient metakv, UsersSettings settings, Consumer<String> generated) {
        this.metakv = metakv;
        this.settings = settings;
        this.generated = generated;
    }

    void start() {
        work.add(metakv.watch(DIRECTORY)
                .subscribe(this::take, failure -> LOG.error("event=users_watch_failed path={}", DIRECTORY, failure)));
    }

    private void take(MetakvEvent event) {
        switch (event) {
            case MetakvEvent.Changed(MetakvEntry entry) -> {
                try {
                    users.put(entry.name(), User.parse(entry.value()));
                } catch (IllegalArgumentException e) {
                    LOG.error("event=user_unreadable path={}", entry.path(), e);
                    users.remove(entry.name());
                }
            }
            case MetakvEvent.Deleted(String path) -> users.remove(path.substring(DIRECTORY.length()));
            case MetakvEvent.Ready() -> {
                ready = true;
                work.add(Mono.defer(this::administrator)
                        .subscribeOn(Schedulers.boundedElastic())
                        .retryWhen(Retry.backoff(Long.MAX_VALUE, FIRST_PAUSE).maxBackoff(LONGEST_PAUSE))
                        .subscribe());
            }
        }
    }

    /** Creates the first administrator, or sets the configured password of the existing one. */
    private Mono<?> administrator() {
        String chosen = settings.adminPassword();
        User known = users.get(settings.adminName());
        if (chosen.isBlank()) {
            return users.isEmpty() ? create(generate()) : Mono.empty();
        }
        if (known == null) {
            return metakv.set(path(), fresh(chosen));
        }
        return Mono.fromFuture(() -> passwords.matches(known, chosen))
                .flatMap(same -> same ? Mono.empty() : metakv.set(path(), fresh(chosen)));
    }

    private Mono<?> create(String password) {
        return metakv.add(path(), fresh(password)).doOnNext(outcome -> {
            if (outcome instanceof WriteOutcome.Written) {
                generated.accept(password);
            }
        });
    }

    private String path() {
        return DIRECTORY + settings.adminName();
    }

    private byte[] fresh(String password) {
        return User.administrator(settings.adminName(), password).json();
    }

    private static String generate() {
        SecureRandom random = new SecureRandom();
        StringBuilder password = new StringBuilder();
        for (int i = 0; i < PASSWORD_CHARS; i++) {
            password.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return password.toString();
    }

    @Override
    public boolean ready() {
        return ready;
    }

    @Override
    public @Nullable ScramKeys keys(String name, ScramMechanism mechanism) {
        User user = users.get(name);
        return user == null ? null : user.keys().get(mechanism);
    }

    @Override
    public Optional<Subject> subject(String name) {
        return Optional.ofNullable(users.get(name)).map(User::subject);
    }

    @Override
    public CompletableFuture<Boolean> verify(String name, String password) {
        User user = users.get(name);
        return user == null ? CompletableFuture.completedFuture(false) : passwords.matches(user, password);
    }

    @Override
    public void close() {
        work.dispose();
        passwords.close();
    }
}
