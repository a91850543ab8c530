package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How documents are stored in Redis; a change here needs a new format byte or a migration. */
class StoredBytesIT {

    private final RedisKit kit = RedisKit.shared();
    private final String bucket = StoreKit.uniqueBucket();

    @Test
    void document_isStoredAsDescribed() {
        DocumentStore store = kit.store(InstantSource.system());
        await(store.catalog().createBucket(bucket, 1));
        byte[] body = {'{', ' ', 0, (byte) 0xff, (byte) 0xc3, '\n', '1', '.', '1', '0', '}'};
        DocumentKey key = new DocumentKey(Keyspace.of(bucket), "ä");
        Write write = Write.insert(key, body)
                .withDatatype(Datatype.BINARY)
                .withFlags(-1)
                .withXattrs(bytes("{\"u\":1e3}"), bytes("{\"_s\":[]}"))
                .withExpiry(Expiry.at(InstantSource.system().instant().plusSeconds(100)))
                .withOrigin(new Origin("f", 1));

        await(store.write(write));

        String prefix = "mr:{" + bucket + ".0}:";
        assertThat(field(prefix, "b")).isEqualTo(body);
        assertThat(field(prefix, "u")).isEqualTo(bytes("{\"u\":1e3}"));
        assertThat(field(prefix, "y")).isEqualTo(bytes("{\"_s\":[]}"));
        byte[] header = field(prefix, "h");
        Document document = await(store.get(key)).orElseThrow();
        ByteBuffer expected = ByteBuffer.allocate(39 + 3 + 17);
        expected.put((byte) 2).put((byte) 'L').putLong(document.cas());
        wide(expected, 7, document.seqno());
        wide(expected, 5, 1);
        wide(expected, 5, document.modified().getEpochSecond());
        wide(expected, 5, document.expiry().getEpochSecond());
        expected.put((byte) 'B').putInt(-1).put((byte) 3).put((byte) 0).put(bytes("f:1"));
        expected.put(write.transaction().bytes()).putLong(document.cas());
        // a byte that marks the oldest transaction as the one that created the document
        assertThat(header).isEqualTo(expected.put((byte) 1).array());
        assertThat(document.seqno()).isOne();
        assertThat(document.expiry().getEpochSecond() - document.modified().getEpochSecond())
                .isBetween(99L, 102L);
        assertThat(kit.console().zrange(prefix + "q", 0, -1)).containsExactly("1L0:ä");
        assertThat(kit.console().zrange(prefix + "x", 0, -1)).containsExactly("0:ä");
        assertThat(kit.console().hgetall(prefix + "m"))
                .containsOnlyKeys("gate", "n", "t", "c:0", "run")
                .containsAllEntriesOf(
                        Map.of("gate", "0/2", "n", "1", "t", Long.toString(document.cas() >>> 16), "c:0", "1"));
    }

    private static void wide(ByteBuffer out, int bytes, long number) {
        for (int i = bytes - 1; i >= 0; i--) {
            out.put((byte) (number >>> 8 * i));
        }
    }

    private byte[] field(String prefix, String name) {
        return kit.connection().sync().hget(bytes(prefix + "d:0:ä"), bytes(name));
    }
}
