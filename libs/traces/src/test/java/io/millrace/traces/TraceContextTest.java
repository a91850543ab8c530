package io.millrace.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {

    private static final String HEADER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Test
    void ofHeader_recorded_isTheSpanOfTheSender() {
        TraceContext context = TraceContext.ofHeader(HEADER).orElseThrow();

        assertThat(context.traceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(context.spanId()).isEqualTo("00f067aa0ba902b7");
        assertThat(context.header()).isEqualTo(HEADER);
    }

    @Test
    void ofHeader_laterVersion_readsWhatItKnows() {
        assertThat(TraceContext.ofHeader("01" + HEADER.substring(2) + "-more")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-x",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
                "00-4bf92f3577b34da6a3ce929d0e0e47zz-00f067aa0ba902b7-01",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            })
    void ofHeader_malformedOrNotRecorded_isNothing(String header) {
        assertThat(TraceContext.ofHeader(header)).isEmpty();
    }

    @Test
    void text_isReadBack() {
        TraceContext context = TraceContext.random();

        assertThat(context.text()).hasSize(TraceContext.TEXT_CHARS).doesNotContain(":", "!", "=");
        assertThat(TraceContext.parse(context.text())).isEqualTo(context);
        assertThatIllegalArgumentException().isThrownBy(() -> TraceContext.parse("AAAA"));
    }

    @Test
    void next_isAnotherSpanOfTheTrace() {
        TraceContext first = TraceContext.random();

        assertThat(first.next().traceId()).isEqualTo(first.traceId());
        assertThat(first.next().span()).isNotEqualTo(first.span());
    }
}
