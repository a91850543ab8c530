package io.millrace.handler;

import static io.millrace.handler.Fixture.meta;
import static io.millrace.handler.Fixture.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BombTest {

    static Stream<String> endless() {
        return Bombs.ENDLESS.keySet().stream();
    }

    static Stream<String> greedy() {
        return Bombs.GREEDY.keySet().stream();
    }

    static Stream<String> deep() {
        return Bombs.DEEP.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("endless")
    void endlessCode_losesOnlyItsInvocation(String name) {
        var outcome =
                explode(new Fixture().timeout(Duration.ofMillis(300)).allocationLimit(64L << 30), Bombs.ENDLESS, name);

        assertThat(outcome).isInstanceOf(InvocationResult.TimedOut.class);
        assertThat(outcome.micros()).isGreaterThanOrEqualTo(300_000);
    }

    @ParameterizedTest
    @MethodSource("greedy")
    void greedyCode_losesOnlyItsInvocation(String name) {
        var outcome =
                explode(new Fixture().timeout(Duration.ofMinutes(5)).allocationLimit(16 << 20), Bombs.GREEDY, name);

        assertThat(outcome).isInstanceOf(InvocationResult.OutOfMemory.class);
    }

    @ParameterizedTest
    @MethodSource("deep")
    void deepCode_losesOnlyItsInvocation(String name) {
        var outcome = explode(new Fixture(), Bombs.DEEP, name);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.message()).startsWith("RangeError: "));
    }

    private static InvocationResult explode(Fixture fixture, Map<String, String> bombs, String name) {
        return fixture.with(Bombs.code(), thread -> {
            assertThat(thread.onUpdate(meta("fine"), utf8(Bombs.DOCUMENT), null))
                    .isInstanceOf(InvocationResult.Success.class);
            var outcome = thread.onUpdate(meta(Bombs.key(bombs, name)), utf8(Bombs.DOCUMENT), null);
            for (int i = 0; i < 20; i++) {
                fixture.host.documents.remove("b/fine");
                assertThat(thread.onUpdate(meta("fine"), utf8(Bombs.DOCUMENT), null))
                        .isInstanceOf(InvocationResult.Success.class);
                assertThat(fixture.host.text("b", "fine")).startsWith("{\"n\":2");
            }
            return outcome;
        });
    }

    @Test
    void stop_saysWhere() {
        var outcome = new Fixture()
                .timeout(Duration.ofMillis(200))
                .update("function OnUpdate(doc) {\n  spin();\n}\nfunction spin() {\n  while (true) {}\n}", "{}");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.TimedOut.class,
                        late -> assertThat(late.line()).isEqualTo(5));
    }

    @Test
    void stop_doesNotHitTheNextInvocation() {
        var fixture = new Fixture().timeout(Duration.ofMillis(20));

        int timedOut = fixture.with(
                "function OnUpdate(doc, meta) { const end = Date.now() + doc; while (Date.now() < end); }", thread -> {
                    int count = 0;
                    for (int i = 0; i < 30; i++) {
                        // around the limit, where the ticker and the end of the invocation race
                        var racing = thread.onUpdate(meta("x"), utf8(String.valueOf(15 + i % 15)), null);
                        count += racing instanceof InvocationResult.TimedOut ? 1 : 0;
                        assertThat(racing)
                                .isInstanceOfAny(InvocationResult.Success.class, InvocationResult.TimedOut.class);
                        assertThat(thread.onUpdate(meta("x"), utf8("0"), null))
                                .isInstanceOf(InvocationResult.Success.class);
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    }
                    return count;
                });

        assertThat(timedOut).isBetween(2, 29);
    }
}
