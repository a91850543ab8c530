package io.millrace.documents.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RedisChangeFeedTest {

    @Test
    void feedThatLooksInVain_waitsTwiceAsLongEachTimeUntilItHasTheLongestWait() {
        IntStream waits = IntStream.iterate(RedisChangeFeed.longer(0), RedisChangeFeed::longer)
                .limit(6);

        assertThat(waits).containsExactly(1, 2, 4, 8, 10, 10);
    }
}
