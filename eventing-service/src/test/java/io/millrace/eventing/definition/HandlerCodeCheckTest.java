package io.millrace.eventing.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Keyspace;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HandlerCodeCheckTest {

    private final AtomicInteger read = new AtomicInteger();

    private final HandlerCodeCheck check = new HandlerCodeCheck(text -> {
        read.incrementAndGet();
        return HandlerCodeCheck.read(text);
    });

    private static FunctionDefinition function(String bucket) {
        return SampleDefinitions.read(SampleDefinitions.json("f")
                .put("appcode", "function OnUpdate(doc, meta) { DELETE FROM `%s`; }".formatted(bucket)));
    }

    @Test
    void changed_readsTheSameCodeOnce() {
        assertThat(check.changed(function("one"))).containsExactly(Keyspace.of("one"));
        int once = read.get();

        assertThat(check.changed(function("one"))).containsExactly(Keyspace.of("one"));

        assertThat(once).isPositive();
        assertThat(read).hasValue(once);
    }

    @Test
    void changed_readsOtherCodeOfTheSameFunction() {
        check.changed(function("one"));

        assertThat(check.changed(function("two"))).containsExactly(Keyspace.of("two"));
    }
}
