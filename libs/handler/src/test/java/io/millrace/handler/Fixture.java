package io.millrace.handler;

import io.millrace.handler.HandlerEngine.Compilation;
import io.millrace.handler.HandlerSpec.Access;
import io.millrace.handler.HandlerSpec.Alias;
import io.millrace.handler.HandlerSpec.Constant;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.host.HandlerHost;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One function in the making, then running on a thread of its own over a {@link MemoryHost}. */
final class Fixture {
    final MemoryHost host;
    private List<String> headers = List.of("'use strict';");
    private Duration timeout = Duration.ofSeconds(30);
    private long allocationLimit = 256L << 20;
    private boolean strict;
    private boolean typescript;
    private LanguageCompatibility language = LanguageCompatibility.V7_2_0;
    private final List<Library> libraries = new ArrayList<>();
    private final List<Constant> constants = new ArrayList<>();
    private List<Alias> aliases = List.of(
            new Alias("b", Access.READ_WRITE), new Alias("source", Access.READ), new Alias("many", Access.WILDCARD));

    Fixture(MemoryHost host) {
        this.host = host;
    }

    Fixture() {
        this(new MemoryHost());
    }

    Fixture headers(String... headers) {
        this.headers = List.of(headers);
        return this;
    }

    Fixture timeout(Duration timeout) {
        this.timeout = timeout;
        return this;
    }

    Fixture allocationLimit(long bytes) {
        this.allocationLimit = bytes;
        return this;
    }

    Fixture strict(boolean strict) {
        this.strict = strict;
        return this;
    }

    Fixture typescript() {
        this.typescript = true;
        return this;
    }

    Fixture language(LanguageCompatibility language) {
        this.language = language;
        return this;
    }

    Fixture constant(String name, String literal) {
        constants.add(new Constant(name, literal));
        return this;
    }

    Fixture library(String id, String code) {
        libraries.add(new Library(id, code));
        return this;
    }

    Compilation compile(String code) {
        return Engines.shared().compile(spec(code));
    }

    /** @param trial the host of code that is loaded on trial */
    Compilation prepare(String code, HandlerHost trial) {
        return Engines.shared().prepare(spec(code), trial);
    }

    private HandlerSpec spec(String code) {
        return new HandlerSpec(
                        "test",
                        code,
                        headers,
                        List.of(),
                        timeout,
                        allocationLimit,
                        strict,
                        language,
                        aliases,
                        constants,
                        List.of("api"),
                        List.of("db"),
                        typescript)
                .withLibraries(libraries)
                .withTopics(List.of("news"));
    }

    HandlerRejected rejected(String code) {
        return (HandlerRejected) compile(code);
    }

    /** Runs a task with a handler's thread. */
    <T> T with(String code, Function<HandlerThread, T> body) {
        var compiled = compile(code);
        if (!(compiled instanceof Handler handler)) {
            throw new AssertionError(compiled.toString());
        }
        return with(handler, body);
    }

    <T> T with(Handler handler, Function<HandlerThread, T> body) {
        return HandlerEngine.onBigStack("test-handler", () -> {
            try (var thread = handler.open(host)) {
                return body.apply(thread);
            }
        });
    }

    /** Calls OnUpdate once with a document of id {@code id}. */
    InvocationResult update(String code, String document) {
        return with(code, thread -> thread.onUpdate(meta("id"), utf8(document), null));
    }

    /** Runs statements as the body of OnUpdate and returns what they log, without levels; fails when they fail. */
    List<String> logged(String statements) {
        var outcome = run(statements);
        if (!(outcome instanceof InvocationResult.Success)) {
            throw new AssertionError(outcome.toString());
        }
        return host.lines.stream()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
    }

    /** Runs statements as the body of OnUpdate on an empty document. */
    InvocationResult run(String statements) {
        return update("function OnUpdate(doc, meta, xattrs) {" + statements + "}", "{}");
    }

    static EventMeta meta(String id) {
        return new EventMeta("bucket", "scope", "collection", id, -2, 517, 1L << 42, 0x2000006, 0, false);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
