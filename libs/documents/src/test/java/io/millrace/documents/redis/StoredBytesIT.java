package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Datatype;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
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
        long expiry = await(store.get(key)).orElseThrow().expiry().getEpochSecond();
        long modified = await(store.get(key)).orElseThrow().modified().getEpochSecond();
        assertThat(modified).isBetween(expiry - 102, expiry - 99);
        String line = "L1,B4294967295," + expiry + ",1," + modified + ",f:1\n";
        assertThat(StoreKit.text(header)).startsWith(line);
        assertThat(header).hasSize(line.length() + 17);
        assertThat(header).containsSequence(write.transaction().bytes());
        // 8 bytes of cas 1, and a byte that marks the oldest transaction as the one that created the document
        assertThat(header).endsWith(0, 0, 0, 0, 0, 0, 0, 1, 1);
        assertThat(kit.console().zrange(prefix + "q", 0, -1)).containsExactly("1L0:ä");
        assertThat(kit.console().zrange(prefix + "x", 0, -1)).containsExactly("0:ä");
        assertThat(kit.console().hgetall(prefix + "m"))
                .containsOnlyKeys("gate", "n", "c:0", "run")
                .containsAllEntriesOf(Map.of("gate", "0", "n", "1", "c:0", "1"));
    }

    private byte[] field(String prefix, String name) {
        return kit.connection().sync().hget(bytes(prefix + "d:0:ä"), bytes(name));
    }
}
