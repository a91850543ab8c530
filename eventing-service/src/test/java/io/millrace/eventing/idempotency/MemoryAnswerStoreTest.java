package io.millrace.eventing.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class MemoryAnswerStoreTest extends AnswerStoreContract {

    private Instant now = Instant.parse("2026-11-23T12:00:00Z");
    private final InstantSource clock = () -> now;
    private final AnswerStore store = AnswerStore.inMemory(clock);

    @Override
    AnswerStore store() {
        return store;
    }

    @Test
    void record_isForgottenAfterItsTime() {
        store.claim("k", new byte[1]).join();
        now = now.plus(AnswerStore.RETENTION);

        assertThat(store.claim("k", new byte[1]).join()).isEmpty();
    }
}
