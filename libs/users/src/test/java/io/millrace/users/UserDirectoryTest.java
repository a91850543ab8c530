package io.millrace.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvEntries;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class UserDirectoryTest {

    private static final String HERE = "127.0.0.1";

    private final TestClock clock = new TestClock();
    private final MetakvClient metakv = MetakvClient.inMemory();
    private final UserDirectory directory = new UserDirectory(metakv, clock);

    @AfterEach
    void close() {
        directory.close();
    }

    private void ann() {
        directory.start();
        directory
                .save(User.create("ann", "Ann", Role.parseAll("data_reader[orders:shop]"), "right horse"))
                .block();
        await().until(() -> directory.find("ann").isPresent());
    }

    private LoginOutcome logIn(String name, String password) {
        return directory.logIn(name, password, HERE).join();
    }

    @Test
    void beforeTheUsersAreRead_noLoginSucceeds() {
        assertThat(logIn("ann", "right horse")).isEqualTo(new LoginOutcome.Busy());
    }

    @Test
    void theRightPassword_givesTheRolesOfTheUser() {
        ann();

        Subject subject = Subject.user("ann", Subject.Domain.LOCAL, Role.parseAll("data_reader[orders:shop]"));
        assertThat(logIn("ann", "right horse")).isEqualTo(new LoginOutcome.Accepted(subject));
        assertThat(logIn("ann", "right horse")).isEqualTo(new LoginOutcome.Accepted(subject));
        assertThat(logIn("ann", "wrong")).isEqualTo(new LoginOutcome.Refused());
        assertThat(logIn("bob", "right horse")).isEqualTo(new LoginOutcome.Refused());
        assertThat(logIn("", "")).isEqualTo(new LoginOutcome.Refused());
    }

    @Test
    void recognizing_findsWhoHasLoggedInBefore_andCountsNoFailure() {
        ann();
        assertThat(directory.recognize("ann", "right horse", HERE)).isEmpty();
        logIn("ann", "right horse");

        assertThat(directory.recognize("ann", "right horse", HERE))
                .contains(Subject.user("ann", Subject.Domain.LOCAL, Role.parseAll("data_reader[orders:shop]")));
        for (int i = 0; i < 2 * UsersLimits.MAX_FAILURES_OF_PAIR; i++) {
            assertThat(directory.recognize("ann", "wrong", HERE)).isEmpty();
        }
        assertThat(directory.recognize("ann", "right horse", HERE)).isPresent();
        for (int i = 0; i < UsersLimits.MAX_FAILURES_OF_PAIR; i++) {
            logIn("ann", "wrong");
        }
        assertThat(directory.recognize("ann", "right horse", HERE)).isEmpty();
    }

    @Test
    void changedRolesAndPasswords_countAtOnce() {
        ann();
        logIn("ann", "right horse");

        User ann = directory.find("ann").orElseThrow();
        directory.save(ann.with("Ann", List.of()).withPassword("other horse")).block();
        await().until(() -> directory.subject("ann").orElseThrow().roles().isEmpty());

        assertThat(logIn("ann", "right horse")).isEqualTo(new LoginOutcome.Refused());
        assertThat(logIn("ann", "other horse")).isInstanceOf(LoginOutcome.Accepted.class);
    }

    @Test
    void aDeletedUser_isOutAtOnce() {
        ann();
        logIn("ann", "right horse");

        directory.delete("ann").block();
        await().until(() -> directory.find("ann").isEmpty());

        assertThat(logIn("ann", "right horse")).isEqualTo(new LoginOutcome.Refused());
    }

    @Test
    void aUserWhomAnotherProcessDeletesAfterAChange_staysDeleted() {
        CompletableFuture<UserDirectory> changing = new CompletableFuture<>();
        MetakvEntries slow = (MetakvEntries) Proxy.newProxyInstance(
                MetakvEntries.class.getClassLoader(), new Class<?>[] {MetakvEntries.class}, (proxy, method, args) -> {
                    Object made = method.invoke(metakv, args);
                    boolean conditional = method.getName().equals("set") && args.length == 3;
                    return conditional ? ((Mono<?>) made).flatMap(done -> afterDeletion(changing.join(), done)) : made;
                });
        try (UserDirectory other = new UserDirectory(slow, clock)) {
            changing.complete(other);
            other.start();
            ann();
            await().until(() -> other.find("ann").isPresent());

            other.change("ann", before -> before.orElseThrow().with("Ann B", List.of()))
                    .block();

            assertThat(other.find("ann")).isEmpty();
            assertThat(other.subject("ann")).isEmpty();
        }
    }

    /** Emits the outcome of a write when the directory has been told that the user was deleted after it. */
    private <T> Mono<T> afterDeletion(UserDirectory told, T outcome) {
        return metakv.delete("/users/ann").then(Mono.fromCallable(() -> {
            await().until(() -> told.find("ann").isEmpty());
            return outcome;
        }));
    }

    @Test
    void loginsWhileThereAreNoUsers_areNotHeldAgainstThoseWhoComeBack() {
        ann();
        User ann = directory.find("ann").orElseThrow();
        directory.delete("ann").block();
        for (int i = 0; i < 2 * UsersLimits.MAX_FAILURES_OF_PAIR; i++) {
            assertThat(logIn("ann", "right horse")).isEqualTo(new LoginOutcome.Refused());
        }

        directory.save(ann).block();
        await().until(() -> directory.find("ann").isPresent());

        assertThat(logIn("ann", "right horse")).isInstanceOf(LoginOutcome.Accepted.class);
    }

    @Test
    void manyEqualLoginsAtOnce_areOneCheck_andAllSucceed() {
        ann();

        List<CompletableFuture<LoginOutcome>> all = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            all.add(directory.logIn("ann", "right horse", HERE));
        }

        assertThat(all).allMatch(one -> one.join() instanceof LoginOutcome.Accepted);
    }

    /** Each guess from another address: the worst case for the queue. */
    @Test
    void aFloodOfGuesses_neitherGetsInNorStopsAUserWhoLoggedInBefore() {
        ann();
        logIn("ann", "right horse");

        List<CompletableFuture<LoginOutcome>> guesses = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            guesses.add(directory.logIn(i % 2 == 0 ? "ann" : "user" + i, "guess" + i, "10.0.0." + i));
        }

        assertThat(directory.logIn("ann", "right horse", HERE))
                .isCompletedWithValueMatching(one -> one instanceof LoginOutcome.Accepted);
        assertThat(guesses).noneMatch(one -> one.isDone() && one.join() instanceof LoginOutcome.Accepted);
        assertThat(guesses.stream().filter(one -> !one.isDone()).count())
                .as("checks that wait for the thread that hashes")
                .isLessThanOrEqualTo(UsersLimits.MAX_WAITING + 1);
    }

    @Test
    void anApiKey_worksUntilItExpiresOrIsDeleted() {
        directory.start();
        ApiKey.Created created = ApiKey.create(
                "ci",
                "root",
                Role.parseAll("data_reader[orders]"),
                clock.instant(),
                clock.instant().plusSeconds(60));
        directory.save(created.key()).block();
        String id = created.key().id();
        await().until(() -> directory.key(id).isPresent());

        assertThat(directory.logIn(created.token(), HERE))
                .isEqualTo(new LoginOutcome.Accepted(
                        Subject.user("key:" + id, Subject.Domain.LOCAL, Role.parseAll("data_reader[orders]"))));
        assertThat(directory.lastUse(id)).contains(clock.instant());
        assertThat(directory.recognize(created.token(), HERE)).isPresent();
        assertThat(directory.recognize(created.token() + "x", HERE)).isEmpty();
        assertThat(directory.recognize("not-a-key", HERE)).isEmpty();
        assertThat(directory.logIn(created.token() + "x", HERE)).isEqualTo(new LoginOutcome.Refused());

        clock.advance(Duration.ofSeconds(60));
        assertThat(directory.recognize(created.token(), HERE)).isEmpty();
        assertThat(directory.logIn(created.token(), HERE)).isEqualTo(new LoginOutcome.Refused());
        directory.deleteKey(id).block();
        await().until(() -> directory.key(id).isEmpty());
    }

    @Test
    void anApiKeyThatWasUsedAtAnAddress_worksThereWhileTheAddressIsLockedOut() {
        ann();
        ApiKey.Created created = ApiKey.create("ci", "root", List.of(), clock.instant(), null);
        directory.save(created.key()).block();
        directory.logIn(created.token(), HERE);

        for (int i = 0; i < UsersLimits.MAX_FAILURES_OF_ADDRESS; i++) {
            directory.throttle().failed("user" + i, HERE);
        }

        assertThat(directory.logIn(created.token(), HERE)).isInstanceOf(LoginOutcome.Accepted.class);
        assertThat(logIn("ann", "right horse")).isInstanceOf(LoginOutcome.Locked.class);
    }

    @Test
    void aNotedUseOfAnApiKey_isForgottenWhenItIsStored() {
        directory.start();
        ApiKey.Created created = ApiKey.create("ci", "root", List.of(), clock.instant(), null);
        directory.save(created.key()).block();
        int before = directory.underWay();

        directory.logIn(created.token(), HERE);

        assertThat(directory.lastUse(created.key().id())).isPresent();
        assertThat(directory.underWay()).isEqualTo(before);
    }

    @Test
    void whatIsStored_containsNeitherPasswordNorSecret() {
        directory.start();
        ApiKey.Created created = ApiKey.create("ci", "root", List.of(Role.ADMIN), clock.instant(), null);
        directory.save(created.key()).block();
        directory.save(User.create("ann", "Ann", List.of(), "right horse")).block();

        String stored = Flux.just("/users/", "/apikeys/")
                .concatMap(metakv::list)
                .flatMapIterable(entries -> entries)
                .map(entry -> new String(entry.value(), StandardCharsets.UTF_8))
                .collect(Collectors.joining())
                .block();
        assertThat(stored)
                .contains(created.key().id())
                .doesNotContain("right horse")
                .doesNotContain(created.token().substring(created.token().lastIndexOf('_')));
    }

    @Test
    void whatIsStored_isReadAgain() {
        User ann = User.create("ann", "Ann", Role.parseAll("data_reader[orders:shop],admin"), "right horse");
        ApiKey key = ApiKey.create("ci", "root", List.of(Role.ADMIN), clock.instant(), clock.instant())
                .key();

        User read = User.parse(ann.json());
        assertThat(read.roles()).isEqualTo(ann.roles());
        assertThat(read.fullName()).isEqualTo("Ann");
        assertThat(read.keys().keySet()).isEqualTo(ann.keys().keySet());
        assertThat(ApiKey.parse(key.json())).isEqualTo(key);
    }

    /** The form before roles had targets and users had names for people. */
    @Test
    void aUserOfAnEarlierVersion_isRead() {
        byte[] stored =
                "{\"name\":\"Administrator\",\"roles\":[\"admin\"],\"scram\":{}}".getBytes(StandardCharsets.UTF_8);

        assertThat(User.parse(stored)).isEqualTo(new User("Administrator", "", List.of(Role.ADMIN), Map.of()));
    }

    @Test
    void anEntryThatIsNotAUser_isLeftOut() {
        directory.start();
        metakv.set("/users/odd", "{}".getBytes(StandardCharsets.UTF_8)).block();
        metakv.set("/users/rogue", "{\"name\":\"rogue\",\"roles\":[\"root\"]}".getBytes(StandardCharsets.UTF_8))
                .block();
        directory.save(User.create("ann", "Ann", List.of(), "right horse")).block();

        await().until(() -> directory.find("ann").isPresent());
        assertThat(directory.users()).extracting(User::name).containsExactly("ann");
        assertThatThrownBy(() -> User.parse("{}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void ensureAdministrator(String password, String firstPassword, Runnable missing) {
        Disposable work = new FirstAdministrator(directory, "Administrator", password, firstPassword, missing).start();
        await().until(work::isDisposed);
    }

    @Test
    void theFirstAdministrator_isCreatedOnce() {
        directory.start();
        ensureAdministrator("", "the first", () -> {});
        await().until(() -> logIn("Administrator", "the first") instanceof LoginOutcome.Accepted);

        ensureAdministrator("", "another one", () -> {});

        assertThat(logIn("Administrator", "the first")).isInstanceOf(LoginOutcome.Accepted.class);
        assertThat(logIn("Administrator", "another one")).isEqualTo(new LoginOutcome.Refused());
    }

    @Test
    void withoutAPasswordForTheFirstAdministrator_noUserIsCreatedAndItIsReported() {
        directory.start();
        AtomicInteger missing = new AtomicInteger();

        ensureAdministrator("", "", missing::incrementAndGet);

        assertThat(missing).hasValue(1);
        assertThat(directory.users()).isEmpty();
    }

    @Test
    void aConfiguredPassword_replacesTheOneOfTheAdministrator() {
        directory.start();
        ensureAdministrator("first one", "", () -> {});
        await().until(() -> logIn("Administrator", "first one") instanceof LoginOutcome.Accepted);

        ensureAdministrator("second one", "", () -> {});

        await().until(() -> logIn("Administrator", "second one") instanceof LoginOutcome.Accepted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ann", "ann.o-neill", "ann@example.com", "Zoë", "a"})
    void ordinaryNames_areNames(String name) {
        assertThat(User.isName(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "a:b", "@ann", "a,b", "a\u0000", "key:1"})
    void namesThatSeparateOtherNames_areRefused(String name) {
        assertThat(User.isName(name)).isFalse();
    }
}
