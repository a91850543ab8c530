package io.millrace.subdocservice.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.couchbase.client.java.Collection;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.kv.MutationResult;
import com.couchbase.client.java.kv.MutationState;
import com.couchbase.client.java.kv.ScanOptions;
import com.couchbase.client.java.kv.ScanResult;
import com.couchbase.client.java.kv.ScanTerm;
import com.couchbase.client.java.kv.ScanType;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The published SDK scans ranges of ids. */
class SdkRangeScanIT {

    private static final int DOCUMENTS = 120;

    private final SdkKit kit = SdkKit.shared();
    private final Collection collection = kit.bucket.scope("s").collection("c");

    @BeforeEach
    void write() {
        kit.store
                .ids(new Keyspace(kit.bucket.name(), "s", "c"), IdRange.ALL, 5000)
                .join()
                .forEach(collection::remove);
        IntStream.range(0, DOCUMENTS)
                .forEach(n -> collection.upsert(
                        "scan-%04d".formatted(n), JsonObject.create().put("n", n)));
    }

    private List<ScanResult> scan(ScanType type, ScanOptions options) {
        return collection.scan(type, options).toList();
    }

    @Test
    void wholeRange_hasEveryDocumentOnce() {
        List<ScanResult> found = scan(ScanType.rangeScan(null, null), ScanOptions.scanOptions());

        assertThat(found).hasSize(DOCUMENTS);
        assertThat(found.stream().map(ScanResult::id).distinct()).hasSize(DOCUMENTS);
        assertThat(found)
                .allSatisfy(result -> assertThat(result.id())
                        .isEqualTo(
                                "scan-%04d".formatted(result.contentAsObject().getInt("n"))));
        assertThat(found.getFirst().cas())
                .isEqualTo(collection.get(found.getFirst().id()).cas());
    }

    @Test
    void rangeAndPrefix_haveTheirIdsAlone() {
        collection.upsert("scan-9\u00e4\ud83d\ude00", JsonObject.create());

        List<ScanResult> range = scan(
                ScanType.rangeScan(ScanTerm.inclusive("scan-0010"), ScanTerm.exclusive("scan-0020")),
                ScanOptions.scanOptions().idsOnly(true));
        List<ScanResult> prefix =
                scan(ScanType.prefixScan("scan-9"), ScanOptions.scanOptions().idsOnly(true));

        assertThat(range.stream().map(ScanResult::id))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(10, 20).mapToObj("scan-%04d"::formatted).toList());
        assertThat(prefix.stream().map(ScanResult::id)).containsExactly("scan-9\u00e4\ud83d\ude00");
    }

    @Test
    void sample_hasSoManyDocuments() {
        assertThat(scan(ScanType.samplingScan(20), ScanOptions.scanOptions())).hasSize(20);
    }

    @Test
    void scan_findsWhatWasWrittenAndMissesWhatWasRemovedBefore() {
        scan(ScanType.prefixScan("scan-"), ScanOptions.scanOptions().idsOnly(true));

        collection.remove("scan-0000");
        MutationResult written = collection.upsert("scan-new", JsonObject.create());
        List<ScanResult> found = scan(
                ScanType.prefixScan("scan-"),
                ScanOptions.scanOptions()
                        .idsOnly(true)
                        .consistentWith(
                                MutationState.from(written.mutationToken().orElseThrow())));

        assertThat(found.stream().map(ScanResult::id))
                .hasSize(DOCUMENTS)
                .contains("scan-new")
                .doesNotContain("scan-0000");
    }

    @Test
    void emptyRange_isEmpty() {
        assertThat(scan(ScanType.prefixScan("nothing-"), ScanOptions.scanOptions()))
                .isEmpty();
    }
}
