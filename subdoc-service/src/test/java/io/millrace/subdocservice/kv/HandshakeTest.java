package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.memcached.Datatypes;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.client.MemcachedClient.Answer;
import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.users.UsersLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From the connection to the selection of a bucket. */
class HandshakeTest {

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private KvKit kit = new KvKit(store, InstantSource.system());
    private MemcachedClient client;

    @BeforeEach
    void connect() throws IOException {
        store.catalog().createBucket("b", 1).join();
        client = kit.connect();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        kit.close();
    }

    @Test
    void hello_grantsSupportedFeatures() throws IOException {
        assertThat(client.hello(Feature.SNAPPY, Feature.DUPLEX, Feature.TRACING, Feature.REPORT_UNIT_USAGE))
                .isEmpty();
        assertThat(client.hello(Feature.XERROR, Feature.SNAPPY, Feature.JSON, Feature.COLLECTIONS))
                .containsExactly(Feature.XERROR, Feature.JSON, Feature.COLLECTIONS);
        assertThat(client.call(Call.of(Opcode.HELLO).withValue(new byte[3])).status())
                .isEqualTo(Status.EINVAL);
    }

    @Test
    void hello_withoutFlexibleFrames_grantsNothingThatNeedsThem() throws IOException {
        assertThat(client.hello(Feature.SYNC_REPLICATION, Feature.PRESERVE_TTL)).isEmpty();
        assertThat(client.hello(Feature.SYNC_REPLICATION, Feature.PRESERVE_TTL, Feature.ALT_REQUEST))
                .hasSize(3);
    }

    @Test
    void errorMap_isJsonOfTheRequestedVersion() throws IOException {
        Answer map = client.call(Call.of(Opcode.GET_ERROR_MAP).withValue(new byte[] {0, 2}));

        JsonNode json = JsonMapper.shared().readTree(map.value());
        assertThat(json.get("version").asInt()).isEqualTo(2);
        assertThat(json.get("errors").get("1").get("name").asString()).isEqualTo("KEY_ENOENT");
        expect(Status.EINVAL, Call.of(Opcode.GET_ERROR_MAP));
        expect(Status.EINVAL, Call.of(Opcode.GET_ERROR_MAP).withValue(new byte[] {0, 0}));
    }

    @ParameterizedTest
    @EnumSource
    void scram_withTheRightPassword_letsIn(ScramMechanism mechanism) throws IOException {
        assertThat(client.call(Call.of(Opcode.SASL_LIST_MECHS)).text())
                .isEqualTo("SCRAM-SHA512 SCRAM-SHA256 SCRAM-SHA1");
        expect(Status.EACCESS, Call.of(Opcode.SELECT_BUCKET, "b"));

        assertThat(client.authenticate(mechanism, TestLogins.USER, TestLogins.PASSWORD))
                .isEqualTo(Status.SUCCESS);

        expect(Status.NO_BUCKET, Call.of(Opcode.GET, "k"));
        assertThat(client.selectBucket("b")).isEqualTo(Status.SUCCESS);
        expect(Status.KEY_ENOENT, Call.of(Opcode.GET, "k"));
    }

    @Test
    void scram_withAWrongPasswordOrName_doesNot() throws IOException {
        for (String name : List.of(TestLogins.USER, "bob")) {
            assertThat(client.authenticate(ScramMechanism.SCRAM_SHA1, name, "wrong"))
                    .isEqualTo(Status.AUTH_ERROR);
            expect(Status.EACCESS, Call.of(Opcode.SELECT_BUCKET, "b"));
        }
        expect(Status.EINVAL, Call.of(Opcode.SASL_STEP, "SCRAM-SHA1").withValue("c=biws"));
        expect(Status.AUTH_ERROR, Call.of(Opcode.SASL_AUTH, "CRAM-MD5"));
        expect(Status.AUTH_ERROR, Call.of(Opcode.SASL_AUTH, "SCRAM-SHA1").withValue("nonsense"));
        assertThat(client.authenticate(ScramMechanism.SCRAM_SHA1, TestLogins.USER, TestLogins.PASSWORD))
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void guesses_lockTheUserOutAtTheAddress() throws IOException {
        for (int guess = 0; guess < UsersLimits.MAX_FAILURES_OF_PAIR; guess++) {
            assertThat(client.authenticate(ScramMechanism.SCRAM_SHA256, TestLogins.USER, "guess" + guess))
                    .isEqualTo(Status.AUTH_ERROR);
        }

        assertThat(client.authenticate(ScramMechanism.SCRAM_SHA256, TestLogins.USER, TestLogins.PASSWORD))
                .isEqualTo(Status.AUTH_ERROR);
        expect(Status.EACCESS, Call.of(Opcode.SELECT_BUCKET, "b"));
        assertThat(kit.logins.throttle().delay(TestLogins.USER, "10.0.0.9")).isZero();
    }

    @Test
    void guessesThatBeginTogether_lockTheUserOutAsWell() throws IOException {
        Call first = Call.of(Opcode.SASL_AUTH, "SCRAM-SHA256").withValue("n,,n=ann,r=nonce");
        List<MemcachedClient> guessing = new ArrayList<>();
        for (int guess = 0; guess < UsersLimits.MAX_FAILURES_OF_PAIR + 1; guess++) {
            MemcachedClient one = kit.connect();
            guessing.add(one);
            assertThat(one.call(first).status()).isEqualTo(Status.AUTH_CONTINUE);
        }

        for (MemcachedClient one : guessing) {
            Call last = Call.of(Opcode.SASL_STEP, "SCRAM-SHA256").withValue("c=biws,r=x,p=AAAA");
            assertThat(one.call(last).status()).isEqualTo(Status.AUTH_ERROR);
            one.close();
        }

        assertThat(kit.logins.throttle().delay(TestLogins.USER, "127.0.0.1")).isEqualTo(UsersLimits.FIRST_LOCKOUT);
    }

    @Test
    void guessesInPlainText_lockTheUserOutAsWell() throws IOException {
        kit.close();
        kit = new KvKit(store, InstantSource.system(), settings(true, 10, Duration.ofMinutes(1)), KvKit.AT_ONCE);
        client = kit.connect();
        for (int guess = 0; guess < UsersLimits.MAX_FAILURES_OF_PAIR; guess++) {
            expect(Status.AUTH_ERROR, Call.of(Opcode.SASL_AUTH, "PLAIN").withValue("\0ann\0guess" + guess));
        }

        expect(Status.AUTH_ERROR, Call.of(Opcode.SASL_AUTH, "PLAIN").withValue("\0ann\0secret"));
        expect(Status.EACCESS, Call.of(Opcode.SELECT_BUCKET, "b"));
    }

    @Test
    void newLogin_forgetsTheOldOne() throws IOException {
        client.authenticate(ScramMechanism.SCRAM_SHA1, TestLogins.USER, TestLogins.PASSWORD);
        client.selectBucket("b");

        client.authenticate(ScramMechanism.SCRAM_SHA1, TestLogins.USER, "wrong");

        expect(Status.EACCESS, Call.of(Opcode.GET, "k"));
    }

    @Test
    void connectionOfAnOldPassword_isRefusedAndClosed() throws IOException {
        client.authenticate(ScramMechanism.SCRAM_SHA1, TestLogins.USER, TestLogins.PASSWORD);
        client.selectBucket("b");
        expect(Status.KEY_ENOENT, Call.of(Opcode.GET, "k"));

        kit.logins.password = "another one";

        expect(Status.EACCESS, Call.of(Opcode.GET, "k"));
        assertThat(HostileClientsTest.closed(client)).isTrue();
        try (MemcachedClient again = kit.connect()) {
            assertThat(again.authenticate(ScramMechanism.SCRAM_SHA1, TestLogins.USER, "another one"))
                    .isEqualTo(Status.SUCCESS);
            assertThat(again.selectBucket("b")).isEqualTo(Status.SUCCESS);
        }
    }

    @Test
    void login_beforeTheUsersAreKnown_isTemporary() throws IOException {
        kit.logins.known = false;
        expect(Status.ETMPFAIL, Call.of(Opcode.SASL_AUTH, "SCRAM-SHA1").withValue("n,,n=ann,r=x"));
    }

    @Test
    void plain_isOfferedOnlyIfAllowed() throws IOException {
        Call plain = Call.of(Opcode.SASL_AUTH, "PLAIN").withValue("\0ann\0secret");
        expect(Status.AUTH_ERROR, plain);
        kit.close();
        kit = new KvKit(store, InstantSource.system(), settings(true, 10, Duration.ofMinutes(1)), KvKit.AT_ONCE);
        client = kit.connect();

        assertThat(client.call(Call.of(Opcode.SASL_LIST_MECHS)).text()).endsWith(" PLAIN");
        expect(Status.AUTH_ERROR, Call.of(Opcode.SASL_AUTH, "PLAIN").withValue("\0ann\0wrong"));
        expect(Status.EINVAL, Call.of(Opcode.SASL_AUTH, "PLAIN").withValue("ann"));
        client.send(plain);
        client.send(Call.of(Opcode.SELECT_BUCKET, "b"));
        client.send(Call.of(Opcode.GET, "k"));
        client.flush();
        assertThat(client.receive().status()).isEqualTo(Status.SUCCESS);
        assertThat(client.receive().status()).isEqualTo(Status.SUCCESS);
        assertThat(client.receive().status()).isEqualTo(Status.KEY_ENOENT);
    }

    @Test
    void missingOrSystemBucket_isRejected() throws IOException {
        store.with(SystemHandle.METAKV).catalog().createBucket("_metakv", 1).join();
        client.authenticate(ScramMechanism.SCRAM_SHA1, TestLogins.USER, TestLogins.PASSWORD);

        assertThat(client.selectBucket("absent")).isEqualTo(Status.KEY_ENOENT);
        assertThat(client.selectBucket("_metakv")).isEqualTo(Status.EACCESS);
    }

    @Test
    void droppedBucket_isNotFound() throws IOException {
        client.authenticate(ScramMechanism.SCRAM_SHA1, TestLogins.USER, TestLogins.PASSWORD);
        client.selectBucket("b");

        store.catalog().dropBucket("b").join();

        expect(Status.NO_BUCKET, Call.of(Opcode.GET, "k"));
        expect(Status.NO_BUCKET, Call.of(Opcode.GET_CLUSTER_CONFIG));
        store.catalog().createBucket("b", 1).join();
        expect(Status.KEY_ENOENT, Call.of(Opcode.GET, "k"));
    }

    @Test
    void config_isOfTheClusterOrOfTheBucket() throws IOException {
        expect(Status.EACCESS, Call.of(Opcode.GET_CLUSTER_CONFIG));
        client.hello(Feature.JSON, Feature.CONFIG_WITH_KNOWN_VERSION);
        client.authenticate(ScramMechanism.SCRAM_SHA1, TestLogins.USER, TestLogins.PASSWORD);

        JsonNode global = JsonMapper.shared()
                .readTree(client.call(Call.of(Opcode.GET_CLUSTER_CONFIG)).value());
        client.selectBucket("b");
        Answer answer = client.call(Call.of(Opcode.GET_CLUSTER_CONFIG));
        JsonNode config = JsonMapper.shared().readTree(answer.value());

        assertThat(answer.datatype()).isEqualTo(Datatypes.JSON);
        assertThat(global.has("vBucketServerMap")).isFalse();
        for (JsonNode each : List.of(global, config)) {
            assertThat(each.get("rev").asInt()).isEqualTo(7);
            assertThat(each.get("nodesExt").get(0).get("services").get("kv").asInt())
                    .isEqualTo(kit.server.port());
            assertThat(each.get("nodesExt").get(0).get("services").get("mgmt").asInt())
                    .isEqualTo(8091);
        }
        assertThat(config.get("name").asString()).isEqualTo("b");
        assertThat(config.get("vBucketServerMap").get("vBucketMap").size()).isEqualTo(1024);
        Call known = Call.of(Opcode.GET_CLUSTER_CONFIG);
        assertThat(client.call(known.withExtras(Call.numbers(1L, 7L))).value()).isEmpty();
        assertThat(client.call(known.withExtras(Call.numbers(1L, 6L))).value()).isNotEmpty();
        assertThat(client.call(known.withExtras(Call.numbers(0L, 8L))).value()).isNotEmpty();
        expect(Status.EINVAL, known.withExtras(new byte[8]));
    }

    @Test
    void collections_haveIds() throws IOException {
        store.catalog().createScope("b", "s").join();
        store.catalog().createCollection(new Keyspace("b", "s", "c")).join();
        client.authenticate(ScramMechanism.SCRAM_SHA1, TestLogins.USER, TestLogins.PASSWORD);
        client.selectBucket("b");

        JsonNode manifest = JsonMapper.shared()
                .readTree(client.call(Call.of(Opcode.GET_COLLECTIONS_MANIFEST)).value());

        assertThat(manifest.get("scopes").get(0).get("collections").get(0).toString())
                .isEqualTo("{\"name\":\"_default\",\"uid\":\"0\",\"maxTTL\":0}");
        JsonNode scope = manifest.get("scopes").get(1);
        long uid = Long.parseLong(manifest.get("uid").asString(), 16);
        int cid = Integer.parseInt(scope.get("collections").get(0).get("uid").asString(), 16);
        int sid = Integer.parseInt(scope.get("uid").asString(), 16);
        assertThat(client.call(Call.of(Opcode.GET_COLLECTION_ID).withValue("s.c"))
                        .extras())
                .isEqualTo(Call.numbers(uid, cid));
        assertThat(client.call(Call.of(Opcode.GET_COLLECTION_ID, "s.c")).extras())
                .isEqualTo(Call.numbers(uid, cid));
        assertThat(client.call(Call.of(Opcode.GET_COLLECTION_ID).withValue(".")).extras())
                .isEqualTo(Call.numbers(uid, 0));
        assertThat(client.call(Call.of(Opcode.GET_SCOPE_ID).withValue("s")).extras())
                .isEqualTo(Call.numbers(uid, sid));
        expect(Status.UNKNOWN_COLLECTION, Call.of(Opcode.GET_COLLECTION_ID).withValue("s.x"));
        expect(Status.UNKNOWN_SCOPE, Call.of(Opcode.GET_COLLECTION_ID).withValue("x.c"));
        expect(Status.UNKNOWN_SCOPE, Call.of(Opcode.GET_SCOPE_ID).withValue("x"));
        expect(Status.EINVAL, Call.of(Opcode.GET_COLLECTION_ID).withValue("a.b.c"));
    }

    @Test
    void noopVersionAndQuit_areAnsweredBeforeAnyLogin() throws IOException {
        expect(Status.SUCCESS, Call.of(Opcode.NOOP));
        assertThat(client.call(Call.of(Opcode.VERSION)).text()).startsWith("millrace");
        expect(Status.SUCCESS, Call.of(Opcode.QUIT));
        assertThat(HostileClientsTest.closed(client)).isTrue();
    }

    static KvSettings settings(boolean plain, int connections, Duration timeout) {
        return new KvSettings(0, connections, plain, timeout, timeout, timeout, 0);
    }

    private void expect(Status status, Call call) throws IOException {
        Answer answer = client.call(call);
        assertThat(answer.status())
                .as(new String(answer.value(), StandardCharsets.UTF_8))
                .isEqualTo(status);
    }
}
