package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.RuntimeEnvironment.RuntimeSettings;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.rebalance.Layout;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RestTest {

    private final NodeLeases leases =
            new NodeLeases("a", CheckpointStore.inMemory(InstantSource.system()), Duration.ofMinutes(1));
    private Layout layout = Layout.contiguous("first", List.of("a"));
    private final Rest rest = new Rest(() -> layout);
    private NodeLeases.Held held;

    @BeforeEach
    void hold() throws InterruptedException {
        held = leases.of("meta", new Retry("f", new StopSignal(), RuntimeSettings.DEFAULT));
    }

    @AfterEach
    void close() {
        leases.close();
    }

    @Test
    void functionThatWasNotLookedAt_doesNotRest() {
        assertThat(rest.goesOn(held)).isFalse();
    }

    @Test
    void rest_goesOnAndEndsByItself() {
        await().until(() -> {
            rest.begin(held);
            return rest.goesOn(held);
        });

        await().until(() -> !rest.goesOn(held));
    }

    @Test
    void anotherLayout_endsTheRestAtOnce() {
        rest.begin(held);

        layout = Layout.contiguous("next", List.of("a", "b"));

        assertThat(rest.goesOn(held)).isFalse();
    }
}
