package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompileTest {
    private static final SyntaxCheck CHECK = new SyntaxCheck();

    @AfterAll
    static void close() {
        CHECK.close();
    }

    @ParameterizedTest
    @CsvSource({
        "'function OnUpdate(doc) {}', OnUpdate",
        "'function OnDelete(meta) {}', OnDelete",
        "'function OnUpdate(doc) {} function OnDelete(meta) {}', OnUpdate OnDelete",
        "'async function OnUpdate() {} function* helper() {};;', OnUpdate",
        "'// comment only\nfunction OnUpdate() { return 1_000n ?? /[[a-z]--b]/v.test(`${a}`) }', OnUpdate"
    })
    void code_withEntryPoint_isAccepted(String code, String entryPoints) {
        assertThat(check(code)).isEqualTo(new SyntaxCheck.Accepted(List.of(entryPoints.split(" "))));
        assertThat(new Fixture().compile(code))
                .isInstanceOfSatisfying(
                        Handler.class,
                        handler -> assertThat(handler.entryPoints()).containsExactly(entryPoints.split(" ")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'function OnUpdate(doc) {\n  if (doc {\n}' | 'SyntaxError: Expected ) but found {' | 2 | 11",
                "'function OnUpdate(doc) {' | 'SyntaxError: Expected } but found eof' | 1 | 25",
                "'function OnUpdate() { return 010; }' | SyntaxError | 1 | 30",
                "'function OnUpdate() { return /(/; }' | SyntaxError | 1 | 33",
                "'function OnUpdate() { let a; let a; }' | SyntaxError | 1 | 34",
                "'function helper() {}' | Neither OnUpdate nor OnDelete nor OnRequest nor OnEvent nor OnMessage is declared | 0 | 0",
                "'' | Neither OnUpdate nor OnDelete nor OnRequest nor OnEvent nor OnMessage is declared | 0 | 0",
                "'function OnUpdate() {}\n"
                        + "var count = 0;' | 'Only functions allowed in global space, but found: var count = 0' | 2 | 1",
                "'const OnUpdate = () => 1;' | 'Only functions allowed in global space, but found: const OnUpdate' | 1"
                        + " | 1",
                "'function OnUpdate() {}\n\n"
                        + "  log(1);' | 'Only functions allowed in global space, but found: log(1)' | 3 | 3",
                "'class A {}\nfunction OnUpdate() {}' | 'Only functions allowed in global space, but found' | 1 | 1",
                "'function OnUpdate() {}\nfunction OnUpdate() {}' | Function OnUpdate is declared twice | 2 | 1",
                "'import x from \"y\"; function OnUpdate() {}' | Imports come from libraries | 1 | 1",
                "'function OnUpdate() {} }' | SyntaxError | 1 | 24"
            })
    void code_thatCannotBeAHandler_isRejectedWithItsPlace(String code, String message, int line, int column) {
        assertThat(check(code)).isInstanceOfSatisfying(HandlerRejected.class, rejected -> {
            assertThat(rejected.message()).startsWith(message).doesNotContain("\n");
            assertThat(rejected.line()).isEqualTo(line);
            assertThat(rejected.column()).isEqualTo(column);
            assertThat(new Fixture().compile(code)).isEqualTo(rejected);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"function undefined() {} function OnUpdate() {}", "function b() {} function OnUpdate() {}"})
    void code_thatDoesNotLoad_isRejected(String code) {
        assertThat(new Fixture().compile(code)).isInstanceOf(HandlerRejected.class);
    }

    @Test
    void check_runsNoCode() {
        var result =
                CHECK.check(spec("function OnUpdate() {}", List.of("while (true) {}"), List.of("while (true) {}")));

        assertThat(result).isInstanceOf(SyntaxCheck.Accepted.class);
    }

    @Test
    void header_thatLoopsForEver_isRejectedByCompile() {
        var fixture = new Fixture()
                .headers("let a = []; while (true) { a.push(new ArrayBuffer(1 << 20)); }")
                .allocationLimit(32 << 20);

        assertThat(fixture.rejected("function OnUpdate() {}").message())
                .contains("more memory than one invocation may hold");
    }

    @Test
    void deeplyNestedCode_isRejectedOrAcceptedWithoutHarm() {
        String deep = "function OnUpdate() { return " + "(".repeat(100_000) + "1" + ")".repeat(100_000) + "; }";

        assertThat(check(deep)).isInstanceOf(SyntaxCheck.Result.class);
        assertThat(check("function OnUpdate() {}")).isInstanceOf(SyntaxCheck.Accepted.class);
    }

    private static SyntaxCheck.Result check(String code) {
        return CHECK.check(spec(code, List.of("'use strict';"), List.of()));
    }

    private static HandlerSpec spec(String code, List<String> headers, List<String> footers) {
        return new HandlerSpec(
                "test",
                code,
                headers,
                footers,
                Duration.ofSeconds(1),
                1 << 20,
                false,
                LanguageCompatibility.V7_2_0,
                List.of());
    }

    @Test
    void everyMistake_isReported() {
        var code = """
            var a = 1;
            function OnUpdate() {}
              class B {}
            function OnUpdate() { import('x') }
            """;

        assertThat(check(code))
                .isInstanceOfSatisfying(
                        HandlerRejected.class,
                        rejected -> assertThat(rejected.mistakes())
                                .extracting(HandlerRejected.Mistake::line, HandlerRejected.Mistake::column)
                                .containsExactly(tuple(1, 1), tuple(3, 3), tuple(4, 1), tuple(4, 23)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "var f = function () {}; | Anonymous functions are not allowed | 2 | 9",
                "[1].map(x => x); | Anonymous functions are not allowed | 2 | 9",
                "var SELECT = 1; | SELECT is a keyword of N1QL and cannot be used as a name | 2 | 5",
                "MERGE: for (;;) {} | MERGE is a keyword of N1QL and cannot be used as a label | 2 | 1"
            })
    void firstDesign_refusesMore(String statement, String message, int line, int column) {
        var code = "function OnUpdate() {\n" + statement + "\n}";

        assertThat(check(code)).isInstanceOf(SyntaxCheck.Accepted.class);
        assertThat(new Fixture().language(LanguageCompatibility.V5_0_0).rejected(code))
                .isEqualTo(new HandlerRejected(message, line, column));
    }

    @Test
    void firstDesign_allowsNamedFunctionsAndMethods() {
        var code = """
            function OnUpdate(doc) {
              var select = function inner() { return {update() {}, get insert() { return 1; }}; };
              return select().SELECT;
            }
            function update() {}
            """;

        assertThat(new Fixture().language(LanguageCompatibility.V5_0_0).compile(code))
                .isInstanceOf(Handler.class);
    }
}
