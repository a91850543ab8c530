package io.millrace.subdocservice.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.memcached.sasl.ScramClient;
import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.memcached.sasl.ScramServer;
import io.millrace.memcached.sasl.ScramServer.SaslStep;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvEntry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UserStoreTest {

    private static final String ADMIN = "Administrator";

    private final MetakvClient metakv = MetakvClient.inMemory();
    private final List<String> shown = new CopyOnWriteArrayList<>();
    private final List<UserStore> stores = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        stores.forEach(UserStore::close);
    }

    private UserStore start(String password) {
        UserStore store = new UserStore(metakv, new UsersSettings(ADMIN, password), shown::add);
        stores.add(store);
        store.start();
        return store;
    }

    private static void awaitUser(UserStore store) {
        await().until(() -> store.keys(ADMIN, ScramMechanism.SCRAM_SHA1) != null);
    }

    @Test
    void firstAdministrator_getsAPasswordThatIsLoggedOnce() {
        UserStore store = start("");
        awaitUser(store);
        await().until(() -> shown.size() == 1);

        assertThat(shown.get(0)).matches("[A-Za-z2-9]{20}");
        assertThat(store.ready()).isTrue();
        assertThat(store.verify(ADMIN, shown.get(0)).join()).isTrue();
        assertThat(store.verify(ADMIN, "wrong").join()).isFalse();
        assertThat(store.verify("unknown", shown.get(0)).join()).isFalse();
        UserStore second = start("");
        awaitUser(second);
        assertThat(second.verify(ADMIN, shown.get(0)).join()).isTrue();
        assertThat(shown).hasSize(1);
    }

    @Test
    void storesThatStartTogether_agreeOnOnePassword() {
        for (int i = 0; i < 5; i++) {
            start(" ");
        }
        stores.forEach(UserStoreTest::awaitUser);
        await().until(() -> shown.size() == 1);

        for (UserStore store : stores) {
            await().until(() -> store.verify(ADMIN, shown.get(0)).join());
        }
    }

    @Test
    void chosenPassword_isTakenAndReplacesAnEarlierOne() {
        UserStore store = start("first");
        awaitUser(store);
        assertThat(store.verify(ADMIN, "first").join()).isTrue();

        start("second");

        await().until(() -> store.verify(ADMIN, "second").join());
        assertThat(store.verify(ADMIN, "first").join()).isFalse();
        assertThat(shown).isEmpty();
        MetakvEntry entry = Objects.requireNonNull(metakv.get("/users/" + ADMIN).block());
        assertThat(entry.text()).contains("\"admin\"").doesNotContain("first").doesNotContain("second");
    }

    @ParameterizedTest
    @EnumSource
    void scram_acceptsThePasswordAndNoOther(ScramMechanism mechanism) {
        UserStore store = start("opensesame");
        awaitUser(store);

        assertThat(login(store, mechanism, "opensesame")).isInstanceOf(SaslStep.Done.class);
        assertThat(login(store, mechanism, "Opensesame")).isInstanceOf(SaslStep.Failed.class);
    }

    private static SaslStep login(UserStore store, ScramMechanism mechanism, String password) {
        ScramClient client = new ScramClient(mechanism, ADMIN, password, "nonce");
        ScramServer server = new ScramServer(mechanism, user -> store.keys(user, mechanism), Logins.USUAL_ITERATIONS);
        SaslStep.Challenge challenge = (SaslStep.Challenge) server.start(client.start());
        return server.finish(client.answer(challenge.message()));
    }

    @Test
    void removedOrUnreadableUser_cannotLogIn() {
        UserStore store = start("p");
        awaitUser(store);
        metakv.set("/users/" + ADMIN, "{\"name\":".getBytes(StandardCharsets.UTF_8))
                .block();
        await().until(() -> store.keys(ADMIN, ScramMechanism.SCRAM_SHA1) == null);

        start("p");

        awaitUser(store);
        metakv.delete("/users/" + ADMIN).block();
        await().until(() -> !store.verify(ADMIN, "p").join());
    }
}
