package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.Origin;
import io.millrace.documents.StoreKit;
import io.millrace.documents.TransactionId;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.WriteResult.Written;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Data of the format before this one, which is read and rewritten, and of a later one, which is refused. */
class FormatIT {

    private static final long OLD = 7;

    private final RedisKit kit = RedisKit.shared();
    private final String bucket = StoreKit.uniqueBucket();
    private final DocumentKey key = new DocumentKey(Keyspace.of(bucket), "k");
    private final TransactionId before = TransactionId.of("before");
    private final String meta = "mr:{" + bucket + ".0}:m";
    private RedisDocumentStore store = kit.store(InstantSource.system());

    /** Makes a bucket as version 1 of the format has it, with one document. */
    @BeforeEach
    void store() {
        await(store.catalog().createBucket(bucket, 1));
        String entry = kit.console().hget("mr:catalog", bucket);
        assertThat(entry).contains(",\"format\":2");
        kit.console().hset("mr:catalog", bucket, entry.replace(",\"format\":2", ""));
        kit.console().hset(meta, "gate", "0");
        kit.console().hset(meta, "n", Long.toString(OLD));
        kit.console().hset(meta, "c:0", "1");
        kit.console().hdel(meta, "t");
        kit.console().zadd("mr:{" + bucket + ".0}:q", OLD, "1L0:k");
        kit.console().zadd("mr:{" + bucket + ".0}:i", 0, "0:k");
        store("L7,B5,4000000000,3,1700000000,f:2\n");
        store = kit.store(InstantSource.system());
    }

    private void store(String line) {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        header.writeBytes(bytes(line));
        header.writeBytes(before.bytes());
        header.writeBytes(ByteBuffer.allocate(9).putLong(OLD).put((byte) 1).array());
        field("h", header.toByteArray());
        field("b", bytes("{}"));
    }

    private void field(String name, byte[] value) {
        kit.connection().sync().hset(bytes("mr:{" + bucket + ".0}:d:0:k"), bytes(name), value);
    }

    @Test
    void formerDocument_isReadAsItIs() {
        Document document = await(store.get(key)).orElseThrow();

        assertThat(document.cas()).isEqualTo(OLD);
        assertThat(document.seqno()).isEqualTo(OLD);
        assertThat(document.datatype()).isEqualTo(Datatype.BINARY);
        assertThat(document.flags()).isEqualTo(5);
        assertThat(document.expiry()).isEqualTo(Instant.ofEpochSecond(4_000_000_000L));
        assertThat(document.revision()).isEqualTo(3);
        assertThat(document.modified()).isEqualTo(Instant.ofEpochSecond(1_700_000_000));
        assertThat(document.origin()).isEqualTo(new Origin("f", 2));
        List<Mutation> changes = await(store.changes(bucket, 0, 0).next(10));
        assertThat(changes)
                .singleElement()
                .satisfies(change -> assertThat(change.seqno()).isEqualTo(OLD));
    }

    @Test
    void formerDocument_isRewrittenWhenItChanges() {
        Written written = (Written)
                await(store.write(Write.touch(key, Expiry.PRESERVE).withCas(OLD).withOrigin(new Origin("g", 1))));

        assertThat(written.seqno()).isEqualTo(OLD + 1);
        assertThat(Instant.EPOCH.plusNanos(written.cas())).isAfter(Instant.ofEpochSecond(1_700_000_000));
        Document document = await(store.get(key)).orElseThrow();
        assertThat(document.cas()).isEqualTo(written.cas());
        assertThat(document.datatype()).isEqualTo(Datatype.BINARY);
        assertThat(document.flags()).isEqualTo(5);
        assertThat(document.expiry()).isEqualTo(Instant.ofEpochSecond(4_000_000_000L));
        assertThat(document.revision()).isEqualTo(4);
        assertThat(document.origin()).isEqualTo(new Origin("g", 1));
        assertThat(kit.console().hget("mr:catalog", bucket)).contains(",\"format\":2");
        assertThat(kit.console().hget(meta, "gate")).isEqualTo("0/2");
    }

    @Test
    void formerTransaction_isRemembered() {
        Write repeated = Write.upsert(key, bytes("[]")).withTransaction(before);

        assertThat(await(store.write(repeated))).isEqualTo(new Written(OLD, OLD, true, true));

        await(store.write(Write.upsert(key, bytes("1"))));
        assertThat(await(store.write(repeated)))
                .isInstanceOfSatisfying(
                        Written.class, answer -> assertThat(answer.cas()).isEqualTo(OLD));
        assertThat(text(await(store.get(key)).orElseThrow().body())).isEqualTo("1");
    }

    @Test
    void formerLock_hasEnded_andANewOneIsKept() {
        store("L7!9999999999.000:4611686018427387905,J0,,3,1700000000,\n");
        assertThat(await(store.get(key)).orElseThrow().lock()).isNull();

        var granted = await(store.lock(key, Instant.now().plusSeconds(1000)));

        assertThat(granted)
                .isInstanceOfSatisfying(
                        io.millrace.documents.DocumentStore.LockResult.Granted.class,
                        lock -> assertThat(lock.document().revision()).isEqualTo(3));
        assertThat(await(store.write(Write.upsert(key, bytes("1"))))).isInstanceOf(WriteResult.Locked.class);
    }

    @Test
    void formerVersion_isShutOut() {
        await(store.write(Write.upsert(key, bytes("1"))));

        // what a process of the former version compares with the gate
        assertThat(kit.console().hget(meta, "gate")).isNotIn("0", "0!");
    }

    @Test
    void laterFormat_inTheCatalog_isRefusedInWords() {
        String entry = kit.console().hget("mr:catalog", bucket);
        kit.console().hset("mr:catalog", bucket, later(entry));

        assertRefused(() -> await(store.get(key)));
        assertRefused(() -> await(store.write(Write.upsert(key, bytes("1")))));
        assertRefused(() -> await(store.catalog().dropBucket(bucket)));
    }

    private static String later(String entry) {
        return entry.substring(0, entry.length() - 1) + ",\"format\":3}";
    }

    @Test
    void laterFormat_ofTheGate_isRefusedInWords() {
        await(store.write(Write.upsert(key, bytes("1"))));
        kit.console().hset(meta, "gate", "0/3");

        assertRefused(() -> await(store.write(Write.upsert(key, bytes("2")))));
        assertThat(kit.console().hget(meta, "gate")).isEqualTo("0/3");
    }

    @Test
    void headerOfALaterFormat_isNotOverwritten() {
        field("h", new byte[] {3, 'L', 1, 2, 3});

        assertThatThrownBy(() -> await(store.write(Write.upsert(key, bytes("2")))))
                .isInstanceOfSatisfying(
                        DocumentsException.class, e -> assertThat(e.code()).isEqualTo(Code.CORRUPT));
        assertThat(kit.console().hget("mr:{" + bucket + ".0}:d:0:k", "b")).isEqualTo("{}");
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(DocumentsException.class, e -> {
            assertThat(e.code()).isEqualTo(Code.CORRUPT);
            assertThat(e).hasMessageContaining("is stored in format 3").hasMessageContaining("up to 2");
        });
    }
}
