package io.millrace.eventing.producer;

import static org.awaitility.Awaitility.await;

import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.RuntimeEnvironment.RuntimeSettings;
import io.millrace.eventing.runtime.StopSignal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class NodeLeasesTest {

    private final CheckpointStore real = CheckpointStore.inMemory(InstantSource.system());
    private volatile boolean connected = true;
    private final CheckpointStore store = (CheckpointStore) Proxy.newProxyInstance(
            CheckpointStore.class.getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
                if (!connected) {
                    throw new IllegalStateException("There is no connection");
                }
                try {
                    return method.invoke(real, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    private final NodeLeases leases = new NodeLeases("node", store, Duration.ofMillis(500));

    @AfterEach
    void close() {
        connected = true;
        leases.close();
    }

    @Test
    void lease_afterTheConnectionWasGone_isRenewedAgain() throws InterruptedException {
        NodeLeases.Held lease = held();

        connected = false;
        await().atMost(Duration.ofMinutes(1)).until(() -> !lease.held() && leases.lapsed());
        connected = true;

        await().atMost(Duration.ofMinutes(1)).until(() -> lease.held() && lease.term() > 1);
    }

    @Test
    void end_withoutConnection_waitsForTheEndOfTheLease() throws InterruptedException {
        NodeLeases.Held lease = held();
        connected = false;

        leases.close();

        await().atMost(Duration.ofMinutes(1)).until(() -> !lease.held());
    }

    private NodeLeases.Held held() throws InterruptedException {
        return leases.of("meta", new Retry("f", new StopSignal(), RuntimeSettings.DEFAULT));
    }
}
