package io.millrace.subdocservice.kv.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdocservice.kv.scan.RangeScans.Begun;
import io.millrace.subdocservice.kv.scan.RangeScans.Wanted;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RangeScansTest {

    private static final DocumentKey KEY = new DocumentKey(Keyspace.of("b"), "k");
    private static final byte[] OPEN = {};

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final RangeScans scans = new RangeScans(store, InstantSource.system());

    @Test
    void userWithAsManyScansAsAllowed_leavesRoomForOthers() {
        BucketInfo bucket = store.catalog().createBucket("b", 1).join();
        store.write(Write.insert(KEY, "{}".getBytes(StandardCharsets.UTF_8))).join();
        List<RangeScan> open = new ArrayList<>();
        for (int i = 0; i < ScanLimits.MAX_SCANS_PER_USER; i++) {
            open.add(((Begun.Scan) begin("ann", bucket)).scan());
        }

        assertThat(begin("ann", bucket)).isEqualTo(new Begun.TooMany());
        assertThat(begin("bob", bucket)).isInstanceOf(Begun.Scan.class);
        scans.end(open.getFirst().id());
        assertThat(begin("ann", bucket)).isInstanceOf(Begun.Scan.class);
    }

    private Begun begin(String user, BucketInfo bucket) {
        Wanted wanted = new Wanted(KEY.keyspace(), true, OPEN, true, OPEN, true, 0, 0);
        return scans.begin(user, bucket, KEY.vbucket(), wanted).join();
    }
}
