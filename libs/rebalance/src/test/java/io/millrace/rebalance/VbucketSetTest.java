package io.millrace.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VbucketSetTest {

    @Test
    void text_isParsedBack() {
        Random random = new Random(1);
        for (int round = 0; round < 200; round++) {
            VbucketSet set = VbucketSet.of(IntStream.range(0, 1024).filter(vbucket -> random.nextInt(3) > 0));

            assertThat(VbucketSet.parse(set.toString())).isEqualTo(set);
        }
        assertThat(VbucketSet.parse("")).isEqualTo(VbucketSet.NONE);
        assertThat(VbucketSet.range(5, 4)).isEqualTo(VbucketSet.NONE);
        assertThat(VbucketSet.parse("0-3,7")).hasToString("0-3,7");
    }

    @Test
    void malformedText_isRefused() {
        for (String text : new String[] {"x", "4-2", "-1", "1,,2", "1-"}) {
            assertThatThrownBy(() -> VbucketSet.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void sets_areCombinedAndCompared() {
        VbucketSet low = VbucketSet.range(0, 9);
        VbucketSet middle = VbucketSet.range(5, 14);

        assertThat(low.plus(middle)).hasToString("0-14");
        assertThat(low.minus(middle)).hasToString("0-4");
        assertThat(low.and(middle)).hasToString("5-9");
        assertThat(low.size()).isEqualTo(10);
        assertThat(low.contains(9)).isTrue();
        assertThat(low.contains(10)).isFalse();
    }
}
