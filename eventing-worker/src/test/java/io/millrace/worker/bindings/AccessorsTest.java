package io.millrace.worker.bindings;

import static io.millrace.worker.bindings.FaultyStore.key;
import static io.millrace.worker.bindings.FaultyStore.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.Origin;
import io.millrace.handler.host.DocumentCall;
import io.millrace.handler.host.DocumentCall.DocumentAnswer;
import io.millrace.handler.host.DocumentCall.Operation;
import io.millrace.handler.host.DocumentCall.PathCall;
import io.millrace.handler.host.DocumentCall.PathOperation;
import io.millrace.handler.host.HostFailure;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.worker.Samples;
import io.millrace.worker.report.Counters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class AccessorsTest {

    private final FaultyStore store = new FaultyStore();
    private final ManualTime time = new ManualTime();
    private final Counters counters = new Counters();
    private final WriteBehind writes = new WriteBehind(
            new StoreQueue(store, new MemoryTimerStore(), Runnable::run), time, Duration.ofSeconds(30), counters);
    private final Accessors accessors = new Accessors(writes, new DocumentCache(0, 0, time, counters), counters);

    @BeforeEach
    void store() {
        store.write(upsert("a", "{\"list\":[1]}")).join();
    }

    private DocumentAnswer mutate(List<PathCall> paths) throws Exception {
        DocumentCall call =
                new DocumentCall(Operation.MUTATE_IN, "b", null, null, "a", null, 0, null, false, false, paths);
        Invocation by = new Invocation(
                Samples.event("e", 1, 0), time.nanos() + Duration.ofSeconds(10).toNanos());
        return accessors.answer(call, key("a"), new Origin("f", 1, null), by);
    }

    @ParameterizedTest
    @CsvSource({
        "list.x,    LCB_ERR_SUBDOC_PATH_MISMATCH,  ' at ''list.x'' is not possible: the path leads through a value of"
                + " another type, or to one'",
        "a..b,      LCB_ERR_SUBDOC_PATH_EINVAL, ' at ''a..b'' is not possible: the path has a wrong syntax, or its"
                + " last part does not fit the operation'",
        "'',        LCB_ERR_SUBDOC_EINVAL, ' is not possible: the path is empty or has more than 1024 bytes'"
    })
    void impossibleChange_namesItsPathAndTheReason(String path, String name, String words) {
        assertThatThrownBy(() -> mutate(List.of(upsertAt("fine"), upsertAt(path))))
                .isInstanceOfSatisfying(HostFailure.class, failure -> {
                    assertThat(failure.name()).isEqualTo(name);
                    assertThat(failure.description()).isEqualTo("The sub-document operation" + words);
                });
    }

    @Test
    void tooManyPaths_areRefusedWithTheLimit() {
        assertThatThrownBy(() -> mutate(Collections.nCopies(17, upsertAt("x"))))
                .hasMessage("The sub-document operation is not possible: a call has 1 to 16 specs");
    }

    private static PathCall upsertAt(String path) {
        return new PathCall(PathOperation.UPSERT, path, "1".getBytes(StandardCharsets.UTF_8), false, false);
    }
}
