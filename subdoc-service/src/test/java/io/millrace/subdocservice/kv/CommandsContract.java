package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.client.MemcachedClient.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A document, a client with all features negotiated, and the calls that the contracts of the commands share. */
abstract class CommandsContract {

    static final String KEY = "k";
    static final int PRESERVE_TTL = 0x50;

    final StoreKit.Clock clock = new StoreKit.Clock();
    final String bucket = StoreKit.uniqueBucket();
    DocumentStore store;
    KvKit kit;
    MemcachedClient client;

    abstract DocumentStore open(InstantSource clock);

    @BeforeEach
    void connect() throws IOException {
        store = open(clock);
        StoreKit.await(store.catalog().createBucket(bucket, 1));
        kit = new KvKit(store, clock);
        client = kit.open(bucket, KvKit.ALL);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        kit.close();
        assertThat(kit.budget.held()).isZero();
    }

    Answer get() throws IOException {
        return client.call(Call.of(Opcode.GET, KEY));
    }

    Answer set(String body, int flags, int expiry) throws IOException {
        return client.call(setCall(body, flags, expiry));
    }

    Answer lock(int seconds) throws IOException {
        return client.call(Call.of(Opcode.GET_LOCKED, KEY).withExtras(Call.numbers(seconds)));
    }

    Answer count(Opcode opcode, long delta, long initial, int expiry) throws IOException {
        return client.call(counter(opcode, delta, initial, expiry));
    }

    static Call counter(Opcode opcode, long delta, long initial, int expiry) {
        return Call.of(opcode, KEY).withExtras(Call.numbers(delta, initial, expiry));
    }

    static Call setCall(String body, int flags, int expiry) {
        return storeCall(Opcode.SET, body, flags, expiry);
    }

    static Call storeCall(Opcode opcode, String body, int flags, int expiry) {
        return Call.of(opcode, KEY).withExtras(Call.numbers(flags, expiry)).withValue(body);
    }

    static Instant expiry(Document document) {
        return Objects.requireNonNull(document.expiry());
    }

    Document document() {
        return document(KEY);
    }

    Document document(String id) {
        return StoreKit.await(store.getWithTombstone(new DocumentKey(Keyspace.of(bucket), id)))
                .orElseThrow();
    }

    static Answer expect(Status status, Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        return answer;
    }

    static Answer expect(Status status, Answer answer, Opcode opcode) {
        assertThat(answer.opcode()).isEqualTo(opcode.code());
        return expect(status, answer);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
