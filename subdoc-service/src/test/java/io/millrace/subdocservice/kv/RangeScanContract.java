package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.StoreKit;
import io.millrace.documents.VBuckets;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient.Answer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Scans of the ids of a vbucket. */
abstract class RangeScanContract extends CommandsContract {

    private static final int VBUCKET = 7;

    /** Ids of one vbucket, in order. */
    private static final List<String> IDS = IntStream.range(0, 1_000_000)
            .mapToObj("id-%06d"::formatted)
            .filter(id -> VBuckets.of(id) == VBUCKET)
            .limit(30)
            .toList();

    private void put(String id, String body) throws IOException {
        expect(
                Status.SUCCESS,
                client.call(setCall(body, 5, 0).withKey(bytes(id)).withVbucket(VBuckets.of(id))));
    }

    private Answer begin(String json) throws IOException {
        return client.call(Call.of(Opcode.RANGE_SCAN_CREATE)
                .withValue(json)
                .withDatatype(1)
                .withVbucket(VBUCKET));
    }

    private static String range(String from, String to, boolean keysOnly) {
        return "{\"key_only\":%s,\"range\":{\"start\":\"%s\",\"excl_end\":\"%s\"}}"
                .formatted(keysOnly, base64(from), base64(to));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private Answer proceed(byte[] scan, int items) throws IOException {
        byte[] extras = ByteBuffer.allocate(28)
                .put(scan)
                .putInt(items)
                .putInt(0)
                .putInt(0)
                .array();
        return client.call(
                Call.of(Opcode.RANGE_SCAN_CONTINUE).withExtras(extras).withVbucket(VBUCKET));
    }

    private static List<String> keys(byte[] value) {
        List<String> keys = new ArrayList<>();
        for (int at = 0; at < value.length; at += value[at] + 1) {
            keys.add(new String(value, at + 1, value[at], StandardCharsets.UTF_8));
        }
        return keys;
    }

    @Test
    void scan_hasTheKeysOfItsVbucketPageByPage() throws IOException {
        for (String id : IDS) {
            put(id, "{}");
        }
        put("another", "{}");

        byte[] scan = expect(Status.SUCCESS, begin(range("id-", "id.", true))).value();
        Answer first = expect(Status.RANGE_SCAN_MORE, proceed(scan, 20));
        Answer second = expect(Status.RANGE_SCAN_COMPLETE, proceed(scan, 20));

        assertThat(scan).hasSize(16);
        assertThat(keys(first.value())).isEqualTo(IDS.subList(0, 20));
        assertThat(keys(second.value())).isEqualTo(IDS.subList(20, 30));
        assertThat(first.extras()).isEqualTo(new byte[] {0, 0, 0, 0});
        expect(Status.KEY_ENOENT, proceed(scan, 20));
    }

    @Test
    void scan_ofDocuments_hasTheirBodies() throws IOException {
        String id = IDS.getFirst();
        put(id, "{\"a\":1}");
        long cas = document(id).cas();

        byte[] scan = expect(Status.SUCCESS, begin(range(id, id + "x", false))).value();
        Answer answer = expect(Status.RANGE_SCAN_COMPLETE, proceed(scan, 0));

        ByteBuffer value = ByteBuffer.wrap(answer.value());
        assertThat(answer.extras()).isEqualTo(new byte[] {0, 0, 0, 1});
        assertThat(value.getInt()).isEqualTo(5);
        assertThat(value.getInt()).isZero();
        value.getLong();
        assertThat(value.getLong()).isEqualTo(cas);
        assertThat(value.get()).isOne();
        assertThat(text(value)).isEqualTo(id);
        assertThat(text(value)).isEqualTo("{\"a\":1}");
        assertThat(value.hasRemaining()).isFalse();
    }

    private static String text(ByteBuffer value) {
        byte[] bytes = new byte[value.get()];
        value.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void scan_findsEveryWriteBeforeIt() throws IOException {
        put(IDS.get(0), "{}");
        put(IDS.get(1), "{}");
        expect(Status.SUCCESS, begin(range("id-", "id.", true)));

        expect(Status.SUCCESS, client.call(Call.of(Opcode.DELETE, IDS.get(0)).withVbucket(VBUCKET)));
        put(IDS.get(2), "{}");
        byte[] scan = expect(Status.SUCCESS, begin(range("id-", "id.", true))).value();

        assertThat(keys(proceed(scan, 0).value())).isEqualTo(IDS.subList(1, 3));
    }

    @Test
    void scan_ofNothing_isMissing() throws IOException {
        put(IDS.get(0), "{}");

        expect(Status.KEY_ENOENT, begin(range("x", "y", true)));
        expect(Status.KEY_ENOENT, begin(range(IDS.get(0) + "x", "y", true)));
    }

    @Test
    void sample_hasSoManyKeys() throws IOException {
        for (String id : IDS) {
            put(id, "{}");
        }
        String sampling = "{\"key_only\":true,\"sampling\":{\"seed\":3,\"samples\":5}}";

        byte[] scan = expect(Status.SUCCESS, begin(sampling)).value();
        byte[] again = expect(Status.SUCCESS, begin(sampling)).value();

        List<String> keys = keys(proceed(scan, 0).value());
        assertThat(keys).hasSize(5).isSorted();
        assertThat(IDS).containsAll(keys);
        assertThat(keys(proceed(again, 0).value())).isEqualTo(keys);
    }

    @Test
    void scan_isCancelled() throws IOException {
        put(IDS.get(0), "{}");
        byte[] scan = expect(Status.SUCCESS, begin(range("id-", "id.", true))).value();
        Call cancel = Call.of(Opcode.RANGE_SCAN_CANCEL).withExtras(scan).withVbucket(VBUCKET);

        expect(Status.SUCCESS, client.call(cancel));

        expect(Status.KEY_ENOENT, client.call(cancel));
        expect(Status.KEY_ENOENT, proceed(scan, 0));
    }

    @Test
    void scan_ofAnotherHistory_isRefused() throws IOException {
        put(IDS.get(0), "{}");
        long history =
                StoreKit.await(store.catalog().find(bucket)).orElseThrow().vbucketUuid(VBUCKET);
        String json =
                "{\"key_only\":true,\"range\":{\"start\":\"\",\"end\":\"%s\"},\"snapshot_requirements\":{\"vb_uuid\":\"%s\",\"seqno\":1}}";

        expect(Status.SUCCESS, begin(json.formatted(base64("z"), Long.toUnsignedString(history))));
        expect(Status.VBUCKET_UUID_NOT_EQUAL, begin(json.formatted(base64("z"), "1")));
    }

    @Test
    void malformedScan_isInvalid() throws IOException {
        for (String json : List.of("x", "[]", "{}", "{\"range\":{}}", "{\"sampling\":{}}", "{\"collection\":\"x\"}")) {
            expect(Status.EINVAL, begin(json));
        }
        expect(Status.UNKNOWN_COLLECTION, begin("{\"collection\":\"fff\",\"sampling\":{\"samples\":1}}"));
    }
}
