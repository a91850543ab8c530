package io.millrace.worker.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.HandlerEngine;
import io.millrace.worker.bindings.QueryBinding;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A handler for each example in Couchbase's documentation of Eventing, under the name of that example, with what the
 * documentation says that it does, and the examples themselves where their pages are there, see {@link DocumentedExamples}.
 */
class TopicsTest {

    private static final TimeZone OF_THE_MACHINE = TimeZone.getDefault();
    private static final HandlerEngine ENGINE = HandlerEngine.start(QueryBinding::read, why -> {});

    /** The documentation shows what its examples do in a time zone that is not UTC. */
    @BeforeAll
    static void moveToTheZoneOfTheDocumentation() {
        TimeZone.setDefault(TimeZone.getTimeZone("America/Los_Angeles"));
    }

    @AfterAll
    static void close() {
        TimeZone.setDefault(OF_THE_MACHINE);
        ENGINE.close();
    }

    static List<Topic> topics() {
        return Stream.of(
                        "1-tasks.kit",
                        "2-basics.kit",
                        "3-statements.kit",
                        "4-shapes.kit",
                        "5-accessors.kit",
                        "6-bytes.kit")
                .flatMap(file -> Topic.of("/topics/" + file).stream())
                .toList();
    }

    static Stream<Topic> topicsAndExamples() {
        return Stream.concat(topics().stream(), DocumentedExamples.asTheyAre().stream());
    }

    @ParameterizedTest
    @MethodSource("topicsAndExamples")
    void topic_doesWhatIsDocumented(Topic topic) {
        assertThat(topic.cases()).as("cases").isNotEmpty();
        assertThat(topic.failures(ENGINE)).isEmpty();
    }

    @Test
    void topics_areThoseOfTheDocumentation() {
        assertThat(topics().stream().map(Topic::name)).hasSize(51).doesNotHaveDuplicates();
    }

    @Test
    void documentedExamples_haveCases() {
        assertThat(DocumentedExamples.cases().stream().map(Topic::name))
                .hasSize(47)
                .doesNotHaveDuplicates();
        assertThat(DocumentedExamples.cases())
                .allSatisfy(example -> assertThat(example.cases()).isNotEmpty());
    }
}
