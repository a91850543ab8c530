package io.millrace.documents;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VBucketsTest {

    @Test
    void vbucket_isWhatCouchbaseClientsCompute() {
        assertThat(VBuckets.of("foo")).isEqualTo(115);
        assertThat(VBuckets.of("bar")).isEqualTo(767);
        assertThat(VBuckets.of("baz")).isEqualTo(36);
    }

    @Test
    void shards_areContiguousRanges() {
        assertThat(VBuckets.shardOf(1023, 1)).isZero();
        assertThat(VBuckets.shardOf(255, 4)).isZero();
        assertThat(VBuckets.shardOf(256, 4)).isOne();
        assertThat(VBuckets.shardOf(1023, 1024)).isEqualTo(1023);
    }
}
