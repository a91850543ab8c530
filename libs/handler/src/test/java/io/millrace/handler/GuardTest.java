package io.millrace.handler;

import static io.millrace.handler.Fixture.meta;
import static io.millrace.handler.Fixture.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.handler.HandlerSpec.Access;
import io.millrace.handler.HandlerSpec.Alias;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GuardTest {

    @Test
    void hostThatBlocks_isInterrupted() {
        var blocking = new MemoryHost() {
            @Override
            public @Nullable StoredDocument get(String alias, String id) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("interrupted", e);
                }
                return null;
            }
        };
        var fixture = new Fixture(blocking).timeout(Duration.ofMillis(200));

        fixture.with(
                "function OnUpdate(doc, meta) { try { if (meta.id === 'block') b.x; } catch (e) { log('caught'); } }",
                thread -> {
                    assertThat(thread.onUpdate(meta("block"), utf8("{}"), null))
                            .isInstanceOf(InvocationResult.TimedOut.class);
                    assertThat(thread.onUpdate(meta("other"), utf8("{}"), null))
                            .isInstanceOf(InvocationResult.Success.class);
                    return thread;
                });

        assertThat(blocking.lines).isEmpty();
    }

    @Test
    void invocationThatCannotBeStopped_isReportedOnce() {
        var stuck = new CopyOnWriteArrayList<String>();
        var released = new AtomicBoolean();
        var deaf = new MemoryHost() {
            @Override
            public @Nullable StoredDocument get(String alias, String id) {
                while (!released.get()) {
                    Thread.onSpinWait();
                }
                return null;
            }
        };
        try (var engine = HandlerEngine.start(stuck::add, Duration.ofMillis(300))) {
            var handler = (Handler) engine.compile(new HandlerSpec(
                    "deaf",
                    "function OnUpdate() { b.x; }",
                    List.of(),
                    List.of(),
                    Duration.ofMillis(100),
                    1 << 30,
                    false,
                    LanguageCompatibility.V7_2_0,
                    List.of(new Alias("b", Access.READ))));
            var outcomes = new CopyOnWriteArrayList<InvocationResult>();
            var thread = HandlerEngine.newThread("deaf-0", () -> {
                try (var opened = handler.open(deaf)) {
                    outcomes.add(opened.onUpdate(meta("x"), utf8("{}"), null));
                }
            });
            thread.start();

            await().untilAsserted(() -> assertThat(stuck).hasSize(1));
            assertThat(stuck.getFirst()).contains("deaf-0").contains("TIMEOUT");
            released.set(true);
            await().untilAsserted(() -> assertThat(outcomes).hasSize(1));
            assertThat(outcomes.getFirst()).isInstanceOf(InvocationResult.TimedOut.class);
            assertThat(stuck).hasSize(1);
        }
    }

    @Test
    void runtime_isNamedWithAReason() {
        var runtime = Engines.shared().runtime();

        assertThat(runtime.optimized()).isFalse();
        assertThat(runtime.describe())
                .startsWith("interpreted: ")
                .contains("runtime")
                .doesNotContain("\n");
    }

    @Test
    void closedEngine_stopsItsTicker() throws Exception {
        var older = tickers();
        var engine = HandlerEngine.start(message -> {});
        var own = tickers();
        own.removeAll(older);
        assertThat(own).hasSize(1);

        engine.close();

        assertThat(own.iterator().next().join(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void engineWithoutInvocations_restsUntilOneBegins() {
        var older = tickers();
        try (var engine = HandlerEngine.start(message -> {})) {
            var own = tickers();
            own.removeAll(older);
            var ticker = own.iterator().next();
            var spec = new HandlerSpec(
                    "loop",
                    "function OnUpdate(doc) { while (true) {} }",
                    List.of(),
                    List.of(),
                    Duration.ofMillis(200),
                    64L << 20,
                    false,
                    LanguageCompatibility.V7_2_0,
                    List.of());
            var handler = (Handler) engine.compile(spec);

            var outcome = HandlerEngine.onBigStack("loop-0", () -> {
                try (var thread = handler.open(new MemoryHost())) {
                    await().until(() -> ticker.getState() == Thread.State.WAITING);
                    return thread.onUpdate(meta("m"), utf8("{}"), null);
                }
            });

            assertThat(outcome).isInstanceOf(InvocationResult.TimedOut.class);
        }
    }

    private static Set<Thread> tickers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("handler-guard"))
                .collect(Collectors.toSet());
    }
}
