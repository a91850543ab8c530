package io.millrace.handler;

import static io.millrace.handler.Fixture.meta;
import static io.millrace.handler.Fixture.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.HandlerSpec.Access;
import io.millrace.handler.HandlerSpec.Alias;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limit counts what an invocation holds. The engine is new, because what other tests left behind would count, too. */
class MemoryLimitTest {
    private static final int MIB = 1 << 20;
    /** A document of 20 KiB, so that reading it a thousand times makes more garbage than the limit. */
    private static final String BIG = "[" + "{\"text\":\"something\",\"n\":1},".repeat(700) + "{\"text\":\"last\"}]";

    private static @Nullable HandlerEngine engine;

    @BeforeAll
    static void startEngine() {
        engine = HandlerEngine.start(stuck -> {});
    }

    @AfterAll
    static void closeEngine() {
        if (engine != null) {
            engine.close();
        }
    }

    private static InvocationResult run(int limitMib, MemoryHost host, String body) {
        if (engine == null) {
            throw new AssertionError();
        }
        var handler = (Handler) engine.compile(new HandlerSpec(
                "memory",
                "function OnUpdate(doc) { " + body + " }",
                List.of("'use strict';"),
                List.of(),
                Duration.ofMinutes(2),
                (long) limitMib * MIB,
                false,
                LanguageCompatibility.V7_2_0,
                List.of(new Alias("b", Access.READ_WRITE))));
        return HandlerEngine.onBigStack("memory", () -> {
            try (var thread = handler.open(host)) {
                return thread.onUpdate(meta("x"), utf8("{}"), null);
            }
        });
    }

    @Test
    void garbage_doesNotCount() {
        String body = "let kept; for (let i = 0; i < 1000; i++) kept = new ArrayBuffer(1 << 20); log(kept.byteLength);";
        var host = new MemoryHost();

        assertThat(run(64, host, body)).isInstanceOf(InvocationResult.Success.class);
        assertThat(host.lines).containsExactly("INFO 1048576");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "for (let i = 0; i < 4000; i++) i.toLocaleString()",
                "for (let i = 0; i < 200; i++) b.big.map((o) => o.text)",
                "for (let i = 0; i < 200; i++) JSON.stringify(b.big)",
                "for (let i = 0; i < 200; i++) { const o = b.big; o[0].text = i; b.copy = o; }"
            })
    void garbageOfHonestHandlers_doesNotCount(String body) {
        var host = new MemoryHost();
        host.put("b", "big", BIG);

        assertThat(run(16, host, body)).isInstanceOf(InvocationResult.Success.class);
    }

    @Test
    void documentsThatAreHeld_count() {
        var host = new MemoryHost();
        host.put("b", "big", BIG);
        String body = "const kept = []; while (true) kept.push(b.big);";

        assertThat(run(16, host, body)).isInstanceOf(InvocationResult.OutOfMemory.class);
    }

    @Test
    void whatIsHeld_counts() {
        String body = "const kept = []; for (let i = 0; i < 1000; i++) kept.push(new ArrayBuffer(1 << 20));";

        assertThat(run(64, new MemoryHost(), body)).isInstanceOf(InvocationResult.OutOfMemory.class);
    }

    @Test
    void whatAnotherInvocationHolds_doesNotCount() throws Exception {
        var full = new CountDownLatch(1);
        var done = new CountDownLatch(1);
        var waiting = new MemoryHost() {
            @Override
            public @Nullable StoredDocument get(String alias, String id) {
                full.countDown();
                try {
                    done.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return null;
            }
        };
        String hold = "const kept = []; for (let i = 0; i < 110; i++) kept.push(new ArrayBuffer(1 << 20)); b.x;";
        var hoarder = new FutureTask<>(() -> run(160, waiting, hold));
        new Thread(hoarder).start();
        full.await();

        var modest = run(64, new MemoryHost(), "for (let i = 0; i < 300; i++) new ArrayBuffer(1 << 20);");
        done.countDown();

        assertThat(modest).isInstanceOf(InvocationResult.Success.class);
        assertThat(hoarder.get()).isInstanceOf(InvocationResult.Success.class);
    }
}
