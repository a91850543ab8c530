package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LibrariesTest {

    private static final String MONEY = """
            export function cents(text) {
              if (!/^[0-9.]+$/.test(text)) {
                throw new TypeError('not an amount: ' + text);
              }
              return Math.round(Number(text) * 100);
            }
            export const currency = 'EUR';
            export default function format(amount) { return currency + ' ' + amount / 100; }
            """;

    private static Fixture money() {
        return new Fixture().library("money@1.0.0", MONEY);
    }

    private static List<String> logged(Fixture fixture, String code) {
        assertThat(fixture.update(code, "{}")).isInstanceOf(InvocationResult.Success.class);
        return fixture.host.lines;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import {cents} from 'money@1.0.0';",
                "import {cents} from \"money@1.0.0\"",
                "import{cents}from'money@1.0.0';",
                "// a comment\nimport {currency, cents} from 'money@1.0.0'; /* another */",
                "import {\n  currency, // of all\n  cents,\n} from 'money@1.0.0';",
                "import {default as cents2, cents} from 'money@1.0.0';",
                "import format, {cents} from 'money@1.0.0';",
                "import 'money@1.0.0';\nimport {cents} from 'money@1.0.0';",
                "import * as money from 'money@1.0.0'; function cents(text) { return money.cents(text); }",
                "import format, * as money from 'money@1.0.0'; function cents(text) { return money.cents(text); }",
            })
    void import_declaresWhatItNames(String imports) {
        assertThat(logged(money(), imports + "\nfunction OnUpdate(doc) { log(cents('12.34')); }"))
                .containsExactly("INFO 1234");
    }

    @Test
    void import_worksInEveryLanguageAndDocumentMode() {
        String code = "import {cents} from 'money@1.0.0';\nfunction OnUpdate(doc) { log(cents(doc.price)); }";
        String typed = code.replace("(doc)", "(doc: {price: string})");

        assertThat(List.of(money().strict(true), money(), money().headers()))
                .allSatisfy(fixture -> hasCents(fixture, code));
        hasCents(money().typescript(), typed);
        hasCents(money().language(HandlerSpec.LanguageCompatibility.V5_0_0), code);
    }

    private static void hasCents(Fixture fixture, String code) {
        assertThat(fixture.update(code, "{\"price\":\"0.5\"}")).isInstanceOf(InvocationResult.Success.class);
        assertThat(fixture.host.lines).containsExactly("INFO 50");
    }

    @Test
    void errorInLibrary_namesItsLineAndThatOfTheCall() {
        var threw = (InvocationResult.Threw) money().update("""
                import {
                  cents
                } from 'money@1.0.0';
                function OnUpdate(doc) {
                  cents('much');
                }
                """, "{}");

        assertThat(threw.message()).isEqualTo("TypeError: not an amount: much");
        assertThat(threw.line()).isEqualTo(5);
        assertThat(threw.stack()).contains("at cents (money@1.0.0:3:11)").contains("at OnUpdate (test:5:3)");
    }

    @Test
    void libraries_importEachOther() {
        Fixture fixture = money().library(
                        "tax@2",
                        "export * from 'money@1.0.0'; import {cents} from 'money@1.0.0';\n"
                                + "export const gross = text => cents(text) * 1.19;");

        assertThat(logged(
                        fixture,
                        "import {gross, cents} from 'tax@2'; function OnUpdate() { log(gross('1.00'), cents('2')); }"))
                .containsExactly("INFO 119 200");
    }

    @Test
    void cycleOfLibraries_isAsInModules() {
        Fixture fixture = new Fixture()
                .library(
                        "even@1",
                        "import {odd} from 'odd@1'; export function even(n) { return n === 0 || odd(n - 1); }")
                .library(
                        "odd@1",
                        "import {even} from 'even@1'; export function odd(n) { return n !== 0 && even(n - 1); }");

        assertThat(logged(fixture, "import {even} from 'even@1'; function OnUpdate() { log(even(10), even(7)); }"))
                .containsExactly("INFO true false");
    }

    @Test
    void functions_useVersionsOfTheirOwnAndShareNothing() {
        String counter = "let count = 0; export const version = %d; export const state = {};\n"
                + "export function next() { return ++count; }";
        Fixture one = new Fixture().library("counter@1", counter.formatted(1));
        Fixture other =
                new Fixture().library("counter@1", counter.formatted(1)).library("counter@2", counter.formatted(2));
        String code = "import {next, version, state} from 'counter@%d';\n"
                + "function OnUpdate() { state.seen = next(); Math.patched = version;"
                + " log(version, state.seen, typeof millraceLibraries); }";

        one.with(
                code.formatted(1),
                first -> other.with(code.formatted(2), second -> {
                    assertThat(other.host.lines).isEmpty();
                    return second.onUpdate(Fixture.meta("a"), Fixture.utf8("{}"), null);
                }));
        logged(one, code.formatted(1));
        logged(one, "import {state} from 'counter@1'; function OnUpdate() { log(Object.keys(state), Math.patched); }");

        assertThat(other.host.lines).containsExactly("INFO 2 1 \"undefined\"");
        assertThat(one.host.lines).containsExactly("INFO 1 1 \"undefined\"", "INFO [] undefined");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "import {x} from 'money@2.0.0'; | There is no library money@2.0.0 | 1",
                "import {x} from './money.js'; | Imports come from libraries, such as 'money@1.0.0', and not from './money.js' | 1",
                "import {x} from 'https://example.com/x.js'; | Imports come from libraries, such as 'money@1.0.0', and not from 'https://example.com/x.js' | 1",
                "import {cents, euros} from 'money@1.0.0'; | The library money@1.0.0 does not export euros; it exports cents, currency, default | 16",
                "function f() {} import {cents} from 'money@1.0.0'; | SyntaxError | 17",
            })
    void import_isRefused_withItsPlace(String imports, String message, int column) {
        var rejected = money().rejected(imports + " function OnUpdate() {}");

        assertThat(rejected.message()).startsWith(message);
        assertThat(rejected.line()).isEqualTo(1);
        assertThat(rejected.column()).isEqualTo(column);
    }

    @Test
    void importBelowAFunction_isRefusedInWords() {
        var rejected = money().rejected("function OnUpdate() {}\nimport {cents} from 'money@1.0.0';\n");

        assertThat(rejected.message()).startsWith("An import has the form");
        assertThat(rejected.line()).isEqualTo(2);
    }

    @Test
    void dynamicImport_isRefused() {
        assertThat(money().rejected("function OnUpdate() { return import('money@1.0.0'); }")
                        .message())
                .contains("import is not available");
        try (var check = new SyntaxCheck()) {
            assertThat(check.check(new Library("a@1", "\nexport const x = () => import('money@1.0.0');"), List.of()))
                    .singleElement()
                    .satisfies(mistake -> {
                        assertThat(mistake.message()).startsWith("import() is not available to libraries");
                        assertThat(mistake.line()).isEqualTo(2);
                    });
        }
    }

    @Test
    void libraryCheck_findsSyntaxAndImports() {
        Library money = new Library("money@1.0.0", MONEY);
        try (var check = new SyntaxCheck()) {
            assertThat(check.check(money, List.of())).isEmpty();
            assertThat(check.check(new Library("a@1", "export const x = 1;\nexport const = 2;"), List.of()))
                    .singleElement()
                    .satisfies(mistake -> assertThat(mistake.line()).isEqualTo(2));
            assertThat(check.check(
                            new Library("a@1", "import f, {euros} from 'money@1.0.0'; import * as all from 'b@1';"),
                            List.of(money)))
                    .extracting(HandlerRejected.Mistake::message)
                    .containsExactly(
                            "There is no library b@1",
                            "The library money@1.0.0 does not export euros; it exports cents, currency, default");
        }
    }

    @Test
    void libraryCheck_findsNamesThatArePassedOn() {
        Library money = new Library("money@1.0.0", MONEY);
        String passedOn = "import {cents as c} from 'money@1.0.0'; export {c}; export {currency} from 'money@1.0.0';"
                + " export * from 'money@1.0.0'; export * as all from 'money@1.0.0';";
        try (var check = new SyntaxCheck()) {
            assertThat(check.check(new Library("a@1", passedOn), List.of(money)))
                    .isEmpty();
            assertThat(check.check(
                            new Library("a@1", passedOn + "export {euros as default} from 'money@1.0.0';"),
                            List.of(money)))
                    .extracting(HandlerRejected.Mistake::message)
                    .containsExactly(
                            "The library money@1.0.0 does not export euros; it exports cents, currency, default");
        }
    }

    @Test
    void libraryThatFails_isReportedWithItsPlace() {
        var rejected = new Fixture()
                .library("bad@1", "export const x = 1;\nundefinedName();")
                .rejected("import {x} from 'bad@1'; function OnUpdate() {}");

        assertThat(rejected.message()).contains("undefinedName is not defined").contains("bad@1:2:1");
    }

    @Test
    void library_hasTheLimitsOfTheFunction() {
        Fixture endless = new Fixture()
                .timeout(Duration.ofMillis(300))
                .library("loop@1", "export function spin() { while (true) {} }");

        assertThat(endless.update("import {spin} from 'loop@1';\nfunction OnUpdate() {\n  spin();\n}", "{}"))
                .isInstanceOfSatisfying(
                        InvocationResult.TimedOut.class,
                        late -> assertThat(late.line()).isEqualTo(3));
    }

    @Test
    void namespaceOfLibrary_cannotBeChanged() {
        assertThat(money().update(
                                "import * as money from 'money@1.0.0'; function OnUpdate() { money.cents = null; }",
                                "{}"))
                .isInstanceOf(InvocationResult.Threw.class);
    }

    @Test
    void importedLibraries_areFoundThroughOthers() {
        Library money = new Library("money@1.0.0", MONEY);
        Library tax = new Library("tax@2", "export * from 'money@1.0.0'; import {x} from 'gone@1';");

        assertThat(ImportedLibraries.all(
                        "import {a} from 'tax@2'; function OnUpdate() {}",
                        id -> Optional.ofNullable(id.equals("tax@2") ? tax : id.equals("money@1.0.0") ? money : null)))
                .containsExactly(tax, money);
        assertThat(ImportedLibraries.of("// import {a} from 'x@1'\n  import {b} from 'y@1';"))
                .containsExactly(new ImportedLibraries.Import("y@1", 2, 3));
    }
}
