package io.millrace.users;

import io.millrace.access.Subject;
import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.millrace.metakv.MetakvEntries;
import io.millrace.metakv.MetakvEntry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The users below {@value #USERS} and the API keys below {@value #KEYS} of MetaKV, kept up to date by watches, and the check
 * of credentials against them. Thread-safe; no call blocks.
 */
public final class UserDirectory implements AutoCloseable {

    /** Where users are in MetaKV. */
    public static final String USERS = "/users/";

    /** Where API keys are in MetaKV. */
    public static final String KEYS = "/apikeys/";

    /** When API keys were used last; apart from the keys, so that noting it conflicts with no change. */
    static final String USES = "/apikeyuses/";

    private static final System.Logger LOG = System.getLogger(UserDirectory.class.getName());

    private final MetakvEntries metakv;
    private final Clock clock;
    private final Passwords passwords = new Passwords();
    private final LoginThrottle throttle;
    private final Map<String, User> users = new ConcurrentSkipListMap<>();
    private final Map<String, Subject> subjects = new ConcurrentHashMap<>();
    private final Map<String, ApiKey> keys = new ConcurrentSkipListMap<>();
    private final Map<String, Subject> keySubjects = new ConcurrentHashMap<>();
    private final Map<String, Instant> uses = new ConcurrentHashMap<>();
    private final Disposable.Composite work = Disposables.composite();
    private volatile boolean usersReady;
    private volatile boolean keysReady;

    public UserDirectory(MetakvEntries metakv, Clock clock) {
        this.metakv = metakv;
        this.clock = clock;
        this.throttle = new LoginThrottle(clock);
    }

    /** Starts to follow MetaKV. */
    public void start() {
        work.add(watch(USERS, this::put, this::remove, () -> usersReady = true));
        work.add(watch(KEYS, this::putKey, this::removeKey, () -> keysReady = true));
        work.add(watch(USES, this::putUse, uses::remove, () -> {}));
    }

    private Disposable watch(String directory, Consumer<MetakvEntry> put, Consumer<String> remove, Runnable ready) {
        return metakv.watch(directory)
                .subscribe(
                        event -> {
                            switch (event) {
                                case MetakvEvent.Changed(MetakvEntry entry) -> {
                                    try {
                                        put.accept(entry);
                                    } catch (IllegalArgumentException e) {
                                        LOG.log(
                                                System.Logger.Level.ERROR,
                                                "event=user_unreadable path=" + entry.path(),
                                                e);
                                        remove.accept(entry.name());
                                    }
                                }
                                case MetakvEvent.Deleted(String path) ->
                                    remove.accept(path.substring(directory.length()));
                                case MetakvEvent.Ready() -> ready.run();
                            }
                        },
                        failure -> LOG.log(
                                System.Logger.Level.ERROR, "event=users_watch_failed path=" + directory, failure));
    }

    private void put(MetakvEntry entry) {
        put(User.parse(entry.value()));
    }

    private synchronized void put(User user) {
        users.put(user.name(), user);
        subjects.put(user.name(), user.subject());
    }

    private synchronized void remove(String name) {
        users.remove(name);
        subjects.remove(name);
        passwords.forget(name);
    }

    /**
     * Does at once what the watch will tell about a change of this process, unless the watch was faster: then it may have told a
     * later change of another process too, which must not be undone.
     *
     * @param known the user as this directory knew it before the change
     */
    private synchronized void unlessTold(String name, @Nullable User known, Runnable change) {
        if (users.get(name) == known) {
            change.run();
        }
    }

    private void putKey(MetakvEntry entry) {
        put(ApiKey.parse(entry.value()));
    }

    private void put(ApiKey key) {
        keys.put(key.id(), key);
        keySubjects.put(key.id(), key.subject());
    }

    private void removeKey(String id) {
        keys.remove(id);
        keySubjects.remove(id);
    }

    private void putUse(MetakvEntry entry) {
        uses.merge(
                entry.name(),
                Instant.ofEpochSecond(Long.parseLong(new String(entry.value(), StandardCharsets.US_ASCII))),
                (one, other) -> one.isAfter(other) ? one : other);
    }

    /** Returns false until users and keys have been read; no login can succeed before. */
    public boolean ready() {
        return usersReady && keysReady;
    }

    /** Returns a user. */
    public Optional<User> find(String name) {
        return Optional.ofNullable(users.get(name));
    }

    /** Returns the users, ordered by name. */
    public Collection<User> users() {
        return List.copyOf(users.values());
    }

    /** Returns what a user may do now, or nothing if the user does not exist. */
    public Optional<Subject> subject(String name) {
        return Optional.ofNullable(subjects.get(name));
    }

    /** Returns an API key. */
    public Optional<ApiKey> key(String id) {
        return Optional.ofNullable(keys.get(id));
    }

    /** Returns the API keys, ordered by id. */
    public Collection<ApiKey> keys() {
        return List.copyOf(keys.values());
    }

    /** Returns when a key was used last, to ten minutes, or nothing if it never was. */
    public Optional<Instant> lastUse(String keyId) {
        return Optional.ofNullable(uses.get(keyId));
    }

    /** Counts the failed logins of all doors of this process. */
    public LoginThrottle throttle() {
        return throttle;
    }

    /**
     * Checks a password. The first successful check costs a slow hash, later ones a fast one.
     *
     * @param address where the attempt comes from
     */
    public CompletableFuture<LoginOutcome> logIn(String name, String password, String address) {
        if (!ready()) {
            return CompletableFuture.completedFuture(new LoginOutcome.Busy());
        }
        Duration delay = throttle.delay(name, address);
        if (delay.isPositive()) {
            return CompletableFuture.completedFuture(new LoginOutcome.Locked(delay));
        }
        User user = users.get(name);
        if (user != null && passwords.known(user, password)) {
            return CompletableFuture.completedFuture(accepted(name, address));
        }
        Passwords.Origin origin =
                new Passwords.Origin(LoginThrottle.network(address), throttle.standing(name, address));
        return passwords.matches(user, password, origin).handle((same, failure) -> {
            if (failure != null) {
                if (!(failure instanceof RejectedExecutionException)) {
                    LOG.log(System.Logger.Level.ERROR, "event=password_check_failed user=" + name, failure);
                }
                return new LoginOutcome.Busy();
            }
            if (same) {
                return accepted(name, address);
            }
            return refused(name, address);
        });
    }

    /**
     * Returns the user of a password that a fast hash shows to be right. Nothing, not counted as a failure, if it is wrong, if a
     * slow hash has to be made or if the user has to wait: {@link #logIn(String, String, String)} decides then.
     *
     * @param address where the attempt comes from
     */
    public Optional<Subject> recognize(String name, String password, String address) {
        User user = ready() && !throttle.delay(name, address).isPositive() ? users.get(name) : null;
        return user != null && passwords.known(user, password) ? subject(accepted(name, address)) : Optional.empty();
    }

    /** Returns the owner of an API key that holds; nothing, not counted as a failure, of another one. */
    public Optional<Subject> recognize(String token, String address) {
        if (!ready() || !isApiKey(token)) {
            return Optional.empty();
        }
        String id = ApiKey.id(token).orElse("");
        boolean waits = throttle.delay("key:" + id, address).isPositive();
        return !waits && owner(token).isPresent() ? subject(logIn(token, address)) : Optional.empty();
    }

    /** Returns the owner of an API key that holds. Unlike a login this is not throttled, not counted and not a use of the key. */
    public Optional<Subject> owner(String token) {
        String id = ApiKey.id(token).orElse("");
        ApiKey key = keys.get(id);
        return key != null && key.matches(token, clock.instant())
                ? Optional.ofNullable(keySubjects.get(id))
                : Optional.empty();
    }

    private static Optional<Subject> subject(LoginOutcome outcome) {
        return outcome instanceof LoginOutcome.Accepted(Subject subject) ? Optional.of(subject) : Optional.empty();
    }

    /** Returns whether this is the user's password, without counting failures. The future fails if too many checks wait. */
    public CompletableFuture<Boolean> isPassword(String name, String password) {
        User user = users.get(name);
        return user != null && passwords.known(user, password)
                ? CompletableFuture.completedFuture(true)
                : passwords.matches(user, password, Passwords.Origin.KNOWN);
    }

    private LoginOutcome accepted(String name, String address) {
        throttle.succeeded(name, address);
        Subject subject = subjects.get(name);
        return subject == null ? new LoginOutcome.Refused() : new LoginOutcome.Accepted(subject);
    }

    /**
     * Counts a failure, except where there are no users at all: then the store was emptied or replaced, and those who had logins
     * shall not have to wait when it is back.
     */
    private LoginOutcome refused(String who, String address) {
        if (!users.isEmpty()) {
            throttle.failed(who, address);
        }
        return new LoginOutcome.Refused();
    }

    /** Checks an API key, which takes microseconds. */
    public LoginOutcome logIn(String token, String address) {
        if (!ready()) {
            return new LoginOutcome.Busy();
        }
        String id = ApiKey.id(token).orElse("");
        Duration delay = throttle.delay("key:" + id, address);
        if (delay.isPositive()) {
            return new LoginOutcome.Locked(delay);
        }
        Optional<Subject> owner = owner(token);
        if (owner.isEmpty()) {
            return refused("key:" + id, address);
        }
        throttle.succeeded("key:" + id, address);
        noteUse(id, clock.instant());
        return new LoginOutcome.Accepted(owner.get());
    }

    /** Returns whether a bearer token has the form of an API key. */
    public static boolean isApiKey(String token) {
        return token.startsWith(ApiKey.PREFIX);
    }

    private void noteUse(String id, Instant now) {
        Instant last = uses.get(id);
        if (last == null || last.plus(UsersLimits.LAST_USE_PRECISION).isBefore(now)) {
            uses.put(id, now);
            byte[] seconds = Long.toString(now.getEpochSecond()).getBytes(StandardCharsets.US_ASCII);
            Disposable.Swap note = Disposables.swap();
            work.add(note);
            note.update(metakv.set(USES + id, seconds)
                    .onErrorResume(failure -> {
                        LOG.log(System.Logger.Level.WARNING, "event=api_key_use_not_noted key=" + id, failure);
                        return Mono.empty();
                    })
                    .doFinally(end -> work.remove(note))
                    .subscribe());
        }
    }

    /** Creates or replaces a user. */
    public Mono<Void> save(User user) {
        return metakv.set(USERS + user.name(), user.json()).then();
    }

    /** Creates a user; emits whether there was none of that name. */
    public Mono<Boolean> add(User user) {
        return metakv.add(USERS + user.name(), user.json()).map(WriteOutcome.Written.class::isInstance);
    }

    /**
     * Changes a user as it is stored at that moment, or creates it. Emits the user as it is stored now, which this directory
     * knows from then on; other processes know it within milliseconds.
     *
     * @param change gets the stored user, or nothing; called again if another change came between. It may derive keys, and its
     *     exceptions end the change
     */
    public Mono<User> change(String name, Function<Optional<User>, User> change) {
        String path = USERS + name;
        return Mono.defer(() -> metakv.get(path).map(Optional::of).defaultIfEmpty(Optional.empty()))
                .publishOn(Schedulers.boundedElastic())
                .flatMap(stored -> {
                    User known = users.get(name);
                    User changed = change.apply(stored.map(entry -> User.parse(entry.value())));
                    Mono<WriteOutcome> write = stored.map(entry -> metakv.set(path, changed.json(), entry.rev()))
                            .orElseGet(() -> metakv.add(path, changed.json()));
                    return write.ofType(WriteOutcome.Written.class)
                            .doOnNext(written -> unlessTold(name, known, () -> put(changed)))
                            .map(written -> changed);
                })
                .repeatWhenEmpty(UsersLimits.MAX_CONFLICTS, rounds -> rounds);
    }

    /** Deletes a user; does nothing if there is none. This directory forgets the user when the deletion is stored. */
    public Mono<Void> delete(String name) {
        return Mono.defer(() -> {
            User known = users.get(name);
            return metakv.delete(USERS + name).doOnSuccess(done -> unlessTold(name, known, () -> remove(name)));
        });
    }

    /** Creates or replaces an API key. */
    public Mono<Void> save(ApiKey key) {
        return metakv.set(KEYS + key.id(), key.json()).doOnNext(rev -> put(key)).then();
    }

    /** Deletes an API key; does nothing if there is none. */
    public Mono<Void> deleteKey(String id) {
        return metakv.delete(KEYS + id).doOnSuccess(done -> removeKey(id)).then(metakv.delete(USES + id));
    }

    /** Returns how many watches and writes are under way. */
    int underWay() {
        return work.size();
    }

    @Override
    public void close() {
        work.dispose();
        passwords.close();
    }
}
