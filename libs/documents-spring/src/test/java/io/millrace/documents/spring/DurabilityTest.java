package io.millrace.documents.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DurabilityTest {

    @Test
    void loss_noAppendOnlyFile_saysSinceTheLastSnapshot() {
        Durability durability = Durability.of(
                Map.of("appendonly", "no", "appendfsync", "everysec", "maxmemory-policy", "noeviction"), 0);

        assertThat(durability.loss()).contains("last snapshot").contains("appendonly yes");
    }

    @Test
    void loss_everySecond_tellsTheMachineFromTheProcess() {
        Durability durability = Durability.of(
                Map.of("appendonly", "yes", "appendfsync", "everysec", "maxmemory-policy", "noeviction"), 0);

        assertThat(durability.loss()).contains("up to a second").contains("Redis alone nothing");
    }

    @Test
    void loss_eviction_isSaidFirst() {
        Durability durability = Durability.of(
                Map.of("appendonly", "yes", "appendfsync", "always", "maxmemory-policy", "allkeys-lru"), 0);

        assertThat(durability.loss()).contains("evict");
    }

    @Test
    void of_hiddenSettings_areUnknown() {
        Durability durability = Durability.of(Map.of(), 2);

        assertThat(durability.sync()).isEqualTo("unknown");
        assertThat(durability.replicas()).isEqualTo(2);
        assertThat(durability.loss()).contains("does not disclose its settings");
    }
}
