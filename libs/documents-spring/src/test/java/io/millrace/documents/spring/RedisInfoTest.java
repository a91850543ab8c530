package io.millrace.documents.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisInfoTest {

    private static final String HEALTHY =
            "# Server\r\nredis_version:7.2.4\r\nrun_id:abc\r\n\r\n# Memory\r\nused_memory:100\r\n"
                    + "maxmemory:0\r\nmaxmemory_policy:noeviction\r\nrole:master\r\naof_last_write_status:ok\r\nloading:0\r\n";

    @Test
    void healthyRedis_takesWrites() {
        RedisInfo info = RedisInfo.of(HEALTHY);

        assertThat(info.refusesWrites()).isEmpty();
        assertThat(info.field("redis_version")).isEqualTo("7.2.4");
        assertThat(info.field("no_such_field")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "maxmemory:0, maxmemory:100, full",
        "role:master, role:slave, replica",
        "aof_last_write_status:ok, aof_last_write_status:err, disk",
    })
    void redisThatRefusesWrites_saysWhy(String usual, String fault, String word) {
        assertThat(RedisInfo.of(HEALTHY.replace(usual, fault)).refusesWrites())
                .hasValueSatisfying(reason -> assertThat(reason).contains(word));
    }

    @Test
    void memoryThatIsEvicted_isNotFull() {
        String evicting = HEALTHY.replace("maxmemory:0", "maxmemory:100").replace("noeviction", "allkeys-lru");

        assertThat(RedisInfo.of(evicting).refusesWrites()).isEmpty();
    }
}
