package io.millrace.eventing.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Keyspace;
import io.millrace.handler.Library;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HandlerCodeCheckTest {

    private final AtomicInteger read = new AtomicInteger();

    private final HandlerCodeCheck check = new HandlerCodeCheck(new NoLibraries(), text -> {
        read.incrementAndGet();
        return HandlerCodeCheck.read(text);
    });

    private static final class NoLibraries implements HandlerCodeCheck.Libraries {

        @Override
        public Optional<Library> find(String id) {
            return Optional.empty();
        }

        @Override
        public String missing(String id) {
            return "no " + id;
        }
    }

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
    void missingLibraries_areMistakesAtTheirPlaces() {
        var mistakes = check.check(SampleDefinitions.read(SampleDefinitions.json("f")
                .put("appcode", "import {a} from 'x@1';\n import 'y@1';\nfunction OnUpdate(doc, meta) {}")));

        assertThat(mistakes)
                .containsExactly(new CodeCheck.Mistake("no x@1", 1, 1), new CodeCheck.Mistake("no y@1", 2, 2));
    }

    @Test
    void changed_readsOtherCodeOfTheSameFunction() {
        check.changed(function("one"));

        assertThat(check.changed(function("two"))).containsExactly(Keyspace.of("two"));
    }
}
