package io.millrace.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class RedisReadsTest {

    @Test
    void linesOfReadingCommands_areAddedUp() {
        String stats = """
                # Commandstats
                cmdstat_hmget:calls=3,usec=10,usec_per_call=3.33,rejected_calls=0,failed_calls=0
                cmdstat_hset:calls=100,usec=500,usec_per_call=5.00,rejected_calls=0,failed_calls=0
                cmdstat_config|get:calls=7,usec=7,usec_per_call=1.00,rejected_calls=0,failed_calls=0
                cmdstat_zrangebyscore:calls=2,usec=90,usec_per_call=45.00,rejected_calls=0,failed_calls=0
                """.replace("\n", "\r\n");

        RedisReads reads = RedisReads.of(stats, Set.of("hmget", "get", "zrangebyscore"));

        assertThat(reads).isEqualTo(new RedisReads(5, 100));
        assertThat(reads.minus(new RedisReads(1, 30))).isEqualTo(new RedisReads(4, 70));
    }
}
