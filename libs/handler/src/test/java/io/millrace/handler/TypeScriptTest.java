package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions in TypeScript: types are gone, every position stays. */
class TypeScriptTest {

    private final Fixture fixture = new Fixture().typescript();

    @Test
    void types_areRemovedEverywhereTheyMayStand() {
        String code = """
            interface Order { readonly id: string; total?: number }
            type Key = keyof Order | `${string}-x`;
            declare const unknownBinding: Map<string, Array<number>>;
            function label<T extends { total?: number }>(this: void, it: T, ...rest: string[]): string;
            function label(it: any, ...rest: string[]): string {
              abstract class Base<T> {
                protected readonly shown: number = 1;
                #own?: T;
                abstract go(): void;
                over(a: string): void;
                over(a: unknown): asserts a is string {}
                [key: string]: any;
              }
              class Real extends Base<string> implements Iterable<number> {
                public override go(): void {}
                static *[Symbol.iterator](): Generator<number> {}
                [Symbol.iterator]!: any;
              }
              const as = <any>new Real().shown, satisfies = it.total! as number satisfies number;
              return [as, satisfies, ...rest].join() as const;
            }
            function OnUpdate(doc: Order, meta: EventMeta, options?: { old?: Order }): void {
              const later = async <T,>(x: T): Promise<T> => x;
              const test = (x: unknown): x is
                  string => typeof x === 'string';
              let none: string | undefined
              type Inner = { a: 1 }
              ;(none as any)?.x
              const list = [doc.total as number]
              const first = list as any
              [0].toString()
              if (list[0]! < 5 && 3 > 2) log(label(doc, "b"), test(`${meta.id as string}`), first, none, typeof later)
            }
            """;

        assertThat(fixture.update(code, "{\"total\": 4}")).isInstanceOf(InvocationResult.Success.class);
        assertThat(fixture.host.lines).containsExactly("INFO \"1,4,b\" true [4] undefined \"function\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'const x = doc as any\n  (1, log)(typeof x)' | 'INFO \"object\"'",
                "'let x: number\n  type T = string\n  x = 1\n  type U = T\n  (log)(x)' | INFO 1",
                "'const f = (a: number):\n  number =>\n a + 1; log(f(1))' | INFO 2",
                "'const type = 1, declare = 2, as = type as number; log({type, declare}.type, as)' | INFO 1 1",
                "'log([1, 2].map<string>(x => `${x as number}`).join())' | 'INFO \"1,2\"'"
            })
    void aStatement_meansWhatItMeansInTypeScript(String statement, String logged) {
        assertThat(fixture.update("function OnUpdate(doc: any): void {\n" + statement + "\n}", "{}"))
                .isInstanceOf(InvocationResult.Success.class);
        assertThat(fixture.host.lines).containsExactly(logged);
    }

    @Test
    void anError_isAtItsPlaceInTheTypeScript() {
        String code = """
            interface Order {
              total: number;
            }

            function OnUpdate(doc: Order): void {
              const a: Record<string, number> = {}, b = (doc as any).missing!.member;
            }
            """;

        InvocationResult result = fixture.update(code, "{}");

        assertThat(result).isInstanceOfSatisfying(InvocationResult.Threw.class, threw -> {
            assertThat(threw.line()).isEqualTo(6);
            assertThat(threw.column()).isEqualTo(45);
            assertThat(threw.stack()).contains("at OnUpdate (test:6:45)");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'function OnUpdate(doc: { a: ) {}' | SyntaxError | 1 | 29",
                "'type A = 1;\nfunction OnUpdate(doc: A) {\n  if (doc {\n}' | SyntaxError | 3 | 11",
                "'function OnUpdate() {\n  enum Kind { A }\n}' | enum is not supported | 2 | 3",
                "'namespace N { export const a = 1 }\nfunction OnUpdate() {}' | namespace is not supported | 1 | 1",
                "'function OnUpdate() {\n"
                        + "  class A { constructor(a: 1, private b: 2) {} }\n}' | A modifier of a parameter | 2 | 31",
                "'function OnUpdate() {\n  return <any>\n  1\n}' | A line break after these types | 2 | 10",
                "'function OnUpdate() {}\nlet x: number = 1;' | 'Only functions allowed in global space, but found: let"
                        + " x: number = 1' | 2 | 1",
                "'import {a} from \"b\";\nfunction OnUpdate() {}' | Imports come from libraries | 1 | 1"
            })
    void aMistake_isReportedAtItsPlace(String code, String message, int line, int column) {
        HandlerRejected rejected = fixture.rejected(code);

        assertThat(rejected.message()).contains(message);
        assertThat(List.of(rejected.line(), rejected.column())).containsExactly(line, column);
    }

    @ParameterizedTest
    @ValueSource(strings = {"function OnUpdate(doc: any) {}", "interface A {}\nfunction OnUpdate() {}"})
    void types_areMistakesInJavaScript(String code) {
        assertThat(new Fixture().rejected(code).message()).contains("SyntaxError");
    }

    @Test
    void statements_standBetweenTypes() {
        try (var check = new SyntaxCheck(text -> new QueryLanguage.Statement(Set.of(), true))) {
            String code = """
                function OnUpdate(doc: any): void {
                  const rows: QueryRows = SELECT a, b
                    FROM c;
                  for (const row of rows as any) log(row as string);
                }
                """;
            var spec = new HandlerSpec(
                    "test",
                    code,
                    List.of(),
                    List.of(),
                    Duration.ofSeconds(1),
                    1 << 20,
                    false,
                    LanguageCompatibility.V7_2_0,
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    true);

            assertThat(check.check(spec)).isEqualTo(new SyntaxCheck.Accepted(List.of("OnUpdate")));
        }
    }

    @Test
    void aLongText_staysAsLongAsItWas() {
        String line = "  { const é: string = 'ü' as string; log(é!); }\n";
        String code = "function OnUpdate(doc: unknown): void {\n" + line.repeat(2000) + "  throw new Error('end');\n}";

        InvocationResult result = fixture.update(code, "{}");

        assertThat(code.getBytes(StandardCharsets.UTF_8)).hasSizeGreaterThan(90_000);
        assertThat(result)
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.line()).isEqualTo(2002));
    }
}
