package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.host.QueryCall;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueriesTest {
    private final MemoryQueries host = new MemoryQueries();
    private final Fixture today = new Fixture(host);
    private final Fixture first = new Fixture(host).language(LanguageCompatibility.V5_0_0);

    private List<String> statements() {
        return host.queries.stream().map(QueryCall::statement).toList();
    }

    private String named(int call) {
        return new String(host.queries.get(call).named(), StandardCharsets.UTF_8);
    }

    // ---- statements in code

    @Test
    void statement_becomesACallWithItsVariables() {
        assertThat(today.logged("""
            const least = 5, name = 'x';
            const rows = SELECT 2
              WHERE a > $least AND b = $name;
            for (const row of rows) { log(row.n); }
            """)).containsExactly("0", "1");

        assertThat(statements()).containsExactly("SELECT 2\n  WHERE a > $least AND b = $name");
        assertThat(named(0)).isEqualTo("{\"least\":5,\"name\":\"x\"}");
        assertThat(host.open).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "for (const row of SELECT 2;) { log(row.n); }",
                "log(0); log(1); UPDATE b SET x = 1;",
                "if (true) DELETE FROM b; log(0); log(1);",
                "var f = () => { return SELECT 2; }; for (var r of f()) { log(r.n); }",
                "const a = [...SELECT 2;]; log(a[0].n); log(a[1].n);"
            })
    void statement_mayStandAnywhere(String code) {
        assertThat(today.logged(code)).containsExactly("0", "1");

        assertThat(host.queries).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "log('SELECT 1;');",
                "log(`SELECT 1; ${'SELECT 2;'}`);",
                "// SELECT 1;\n/* DELETE FROM b; */ log(/SELECT 1;/.source);",
                "var select = 1; select = select + 1; log(select);",
                "var o = {delete: 1, select: 2, update(x) { return x; }}; log(o.update (3), o.select, o.delete);",
                "var select = x => x; log(select(1)); var update = 4; update++; log(update / 2, /a'/.test(`'`));",
                "var o = {a: 1}; delete o.a; var from = 2; log(from / 1);",
            })
    void whatOnlyLooksLikeAStatement_staysJavaScript(String code) {
        assertThat(today.logged(code)).hasSizeBetween(1, 3);

        assertThat(host.queries).isEmpty();
    }

    @Test
    void errorsBehindAStatement_haveTheirPlaceInTheSource() {
        var outcome = today.run("\n  var a = SELECT 1\n WHERE x = $y; var z = 1; throw new Error('here');");

        assertThat(outcome).isInstanceOfSatisfying(InvocationResult.Threw.class, threw -> {
            assertThat(threw.message()).contains("ReferenceError: y is not defined");
            assertThat(threw.line()).isEqualTo(2);
        });
        outcome = today.run("\n  var a = SELECT 1\n  WHERE x = 1; throw new Error('here');");
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(tuple(threw.line(), threw.column())).isEqualTo(tuple(3, 22)));
    }

    @Test
    void wrongStatements_areAllReported() {
        var code = """
            function OnUpdate() {
              var a = SELECT 1 BAD;
              var b = SELECT 1;
              DELETE FROM
                b BAD WHERE x;
              import('x');
              var c = SELECT 2
            }
            """;

        assertThat(today.rejected(code).mistakes())
                .extracting(
                        HandlerRejected.Mistake::message,
                        HandlerRejected.Mistake::line,
                        HandlerRejected.Mistake::column)
                .containsExactly(
                        tuple("N1QL syntax error at: BAD", 2, 20),
                        tuple("N1QL syntax error at: BAD", 5, 7),
                        tuple("import is not available to functions", 6, 3),
                        tuple("A N1QL statement must end with a semicolon", 8, 1));
    }

    @Test
    void statements_areReported_thatStandInTheCode() {
        try (var check = new SyntaxCheck(MemoryQueries::read)) {
            var spec = new HandlerSpec(
                    "f",
                    "function OnUpdate(doc) { INSERT INTO a VALUES (1); N1QL('UPDATE b SET x'); N1QL(`DELETE FROM c WHERE"
                            + " x`); N1QL('SELECT' + doc.a); N1QL(doc.text); N1QL(`DELETE FROM ${doc.d}`); }",
                    List.of(),
                    List.of(),
                    java.time.Duration.ofSeconds(1),
                    1,
                    false,
                    LanguageCompatibility.V7_2_0,
                    List.of());

            assertThat(check.statements(spec))
                    .containsExactly("INSERT INTO a VALUES (1)", "UPDATE b SET x", "DELETE FROM c WHERE x");
        }
    }

    // ---- N1QL()

    @Test
    void requests_areNamedByTheirPlaceUnlessTheCodeNamesThem() {
        assertThat(today.update("""
            function OnUpdate(doc) {
              SELECT 0;
              helper();
              N1QL('SELECT 0', [], {clientContextId: 'mine'});
            }
            function helper() {
              const q = new N1qlQuery('SELECT 0');
              aFunctionWhoseNameIsLongerThanTheNamesOfRequestsMayEverBecome(q);
            }
            function aFunctionWhoseNameIsLongerThanTheNamesOfRequestsMayEverBecome(q) { q.execQuery(); }
            """, "{}")).isInstanceOf(InvocationResult.Success.class);

        assertThat(host.queries)
                .extracting(QueryCall::clientContextId)
                .containsExactly(
                        "2@test(OnUpdate)",
                        "10@test(aFunctionWhoseNameIsLongerThanTheNamesOfRequestsMayEverBecome".substring(0, 62),
                        "mine");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "N1QL('SELECT 0', {$a: 1, b: [doc]}) | {\"a\":1,\"b\":[{}]} | []",
                "couchbase.n1qlQuery('SELECT 0', ['x', null, 1.5, {}]) | {} | [\"x\",null,1.5,{}]",
                "N1QL('SELECT 0', null, {consistency: 'request', isPrepared: true, clientContextId: 'me'}) | {} | []"
            })
    void parameters_areSentAsJson(String call, String named, String positional) {
        assertThat(today.run(call)).isInstanceOf(InvocationResult.Success.class);

        assertThat(named(0)).isEqualTo(named);
        assertThat(new String(host.queries.getFirst().positional(), StandardCharsets.UTF_8))
                .isEqualTo(positional);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "N1QL('SELECT 0', [undefined])",
                "N1QL('SELECT 0', {a: () => 1})",
                "N1QL('SELECT 0', {a: Symbol('x')})",
                "N1QL('SELECT 0', 5)",
                "N1QL(5)",
                "N1QL('SELECT 0', [], {consistency: 'perhaps'})",
                "N1QL('SELECT 0', [], {isPrepared: 'yes'})",
                "N1QL('SELECT 0', [], {clientContextId: 'x'.repeat(63)})",
                "N1QL('FAIL')",
                "new N1qlQuery(5)",
                "for (var r of N1QL('SELECT 1 breaks')) { log(r); }"
            })
    void mistakes_areN1qlErrors(String call) {
        assertThat(today.logged("try { " + call + "; } catch (e) { log(e instanceof N1QLError, e.name); }")
                        .getLast())
                .isEqualTo("true \"N1QLError\"");
        assertThat(host.open).isZero();
    }

    @Test
    void siblings_haveErrorsOfTheirOwn() {
        assertThat(today.logged("""
            for (const row of couchbase.analyticsQuery('SELECT 1')) { log(row.n, ANALYTICS === couchbase.analyticsQuery); }
            try { couchbase.analyticsQuery('FAIL'); } catch (e) { log(e.name, typeof AnalyticsError); }
            try { couchbase.searchQuery('i', {}); } catch (e) { log(e.name, typeof SearchError); }
            """))
                .containsExactly("0 true", "\"AnalyticsError\" \"undefined\"", "\"SearchError\" \"undefined\"");
    }

    // ---- loops

    @ParameterizedTest
    @ValueSource(
            strings = {
                "for (const r of N1QL('SELECT 9')) { break; }",
                "for (const r of N1QL('SELECT 9')) { continue; }",
                "outer: for (const r of N1QL('SELECT 2')) { for (const s of N1QL('SELECT 9')) { continue outer; } }",
                "outer: for (const r of N1QL('SELECT 9')) { for (const s of N1QL('SELECT 9')) { break outer; } }",
                "for (const r of N1QL('SELECT 9')) { for (const s of [1, 2]) { break; } }",
                "for (const s of [1, 2]) { for (const r of N1QL('SELECT 9')) { break; } }",
                "(() => { for (const r of N1QL('SELECT 9')) { return; } })()",
                "(() => { for (const r of N1QL('SELECT 9')) for (const s of N1QL('SELECT 9')) { return; } })()",
                "try { for (const r of N1QL('SELECT 9')) { throw new Error('x'); } } catch (e) {}",
                "const [a, b] = N1QL('SELECT 9')",
                "[...N1QL('SELECT 9')]",
                "N1QL('SELECT 9').close()",
                "const r = N1QL('SELECT 9'); r.close(); r.close(); for (const x of r) { log('never'); }",
                "N1QL('UPDATE b SET x = 1')",
                "const r = N1QL('SELECT 9'); for (const x of r) { break; } for (const x of r) {}",
                "for (const r of N1QL('SELECT 9')) { throw new Error('not caught'); }",
                "for (const r of N1QL('SELECT 1 breaks')) {}"
            })
    void everyExit_closesEveryCursorOnce(String code) {
        for (var fixture : List.of(today, first)) {
            String statements = fixture == first ? code.replaceAll("N1QL\\(('[^']*')\\)", "new N1qlQuery($1)") : code;
            if (fixture == first && (code.contains("=>") || code.contains("close()"))) {
                continue;
            }
            fixture.run(statements);

            assertThat(host.open).as(statements).isZero();
            assertThat(host.closed.size()).isEqualTo(host.queries.size());
            assertThat(host.lines).isEmpty();
        }
    }

    @Test
    void loopsOverOneResult_shareItsRows() {
        assertThat(today.logged("""
            const rows = N1QL('SELECT 6');
            for (const a of rows) {
              for (const b of rows) { log(a.n, b.n); if (b.n !== 2) { break; } }
            }
            for (const c of rows) { log('none', c); }
            """)).containsExactly("0 1", "2 3", "4 5");
        assertThat(host.queries).hasSize(1);
    }

    @Test
    void tooManyResults_areRefusedAsTheProductDoes() {
        assertThat(today.logged("""
            const held = [];
            try {
              for (let i = 0; i < 9; i++) { held.push(N1QL('SELECT 9')); }
            } catch (e) { log(held.length, e.name, e.message); }
            held[0].close();
            held.push(N1QL('SELECT 1'));
            for (const row of held[3]) { log(row.n); }
            """))
                .containsExactly("3 \"N1QLError\" \"Connection pool maximum capacity reached\"", "0");
        assertThat(host.open).isZero();
    }

    @Test
    void resultsThatAreNeitherReadNorReferenced_makeRoom() {
        assertThat(today.logged("""
            function leak() { N1QL('SELECT 9'); }
            for (let i = 0; i < 9; i++) { leak(); }
            const left = [];
            for (let i = 0; i < 9; i++) { const r = N1QL('SELECT 9'); left.push(r); for (const row of r) { break; } }
            log('through');
            """)).containsExactly("\"through\"");
        assertThat(host.open).isZero();
    }

    // ---- the first design

    @Test
    void firstDesign_runsASelectWhenItIsReadAndEachTime() {
        assertThat(first.logged("""
            var unused = SELECT 5 FROM :bucket;
            SELECT 7;
            var limit = 1;
            var res = SELECT 2 WHERE x > :limit AND y = ':type';
            limit = 2;
            var type = 'late';
            for (var row of res) { log(row.n); break; }
            for (var row of res) { log(row.n); }
            UPDATE b SET x = :limit;
            """)).containsExactly("0", "0", "1");

        assertThat(statements())
                .containsExactly(
                        "SELECT 2 WHERE x > :limit AND y =  :type ",
                        "SELECT 2 WHERE x > :limit AND y =  :type ",
                        "UPDATE b SET x = :limit");
        assertThat(named(0)).isEqualTo("{\"limit\":2,\"type\":\"late\"}");
        assertThat(host.open).isZero();
    }

    @Test
    void queryObject_takesNamedParameters() {
        assertThat(first.logged("""
            var text = 'SELECT 2 WHERE x > $least';
            log(new N1qlQuery(text, {namedParams: {least: 5}, consistency: 'request'}).execQuery().length);
            try { new N1qlQuery(text, {consistency: 'maybe'}).execQuery(); } catch (e) { log(e.message); }
            """))
                .containsExactly("2", "\"Option consistency of a query must be 'none' or 'request'\"");
        assertThat(named(0)).isEqualTo("{\"least\":5}");
    }

    @Test
    void firstDesign_queryObject() {
        assertThat(first.logged("""
            var most = 3;
            var q = new N1qlQuery('SELECT 3 WHERE x < :most', {prepare: true});
            log(q.query, q.execQuery().length);
            function show(row) { log(row.n); if (row.n === 1) { q.stopIter(); log('current goes on'); } }
            log(q.iter(show));
            function all(row) { log(row.n); }
            q.query = 'SELECT 1';
            log(q.iter(all));
            function fails(row) { throw new N1QLError('mine'); }
            try { q.iter(fails); } catch (e) { log(e.message); }
            q.stopIter();
            """))
                .containsExactly(
                        "\"SELECT 3 WHERE x < :most\" 3",
                        "0",
                        "1",
                        "\"current goes on\"",
                        "0",
                        "0",
                        "undefined",
                        "\"mine\"");
        assertThat(named(0)).isEqualTo("{\"most\":3}");
        assertThat(host.open).isZero();
    }

    @Test
    void firstDesign_nestedLoopsOverOneQueryRunTwice() {
        assertThat(first.logged("""
            var res = SELECT 2;
            for (var a of res) { for (var b of res) { log(a.n, b.n); } }
            function inner(r) { log(r.n); res.stopIter('out'); }
            function outer(r) { log(res.iter(inner)); }
            log(res.iter(outer));
            """))
                .containsExactly("0 0", "0 1", "1 0", "1 1", "0", "\"out\"", "0", "\"out\"", "undefined");
        assertThat(host.open).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "log(SELECT 1); | 2 | 5",
                "log(SELECT 1;); | 2 | 5",
                "for (var r of SELECT 1;) {} | 2 | 15",
                "return SELECT 1; | 2 | 8"
            })
    void firstDesign_statementsStandOnlyWhereItAllowsThem(String statement, int line, int column) {
        var rejected = first.rejected("function OnUpdate() {\n" + statement + "\n}");

        assertThat(rejected.mistakes().getFirst())
                .isEqualTo(new HandlerRejected.Mistake(
                        "A N1QL statement must be a statement of its own or the value assigned to a variable",
                        line,
                        column));
    }

    @Test
    void firstDesign_mayNotNameThingsAfterVerbs() {
        assertThat(first.rejected("function OnUpdate() {\n var SELECT = 1; SELECT 2 BAD;\n}")
                        .mistakes())
                .extracting(HandlerRejected.Mistake::line, HandlerRejected.Mistake::column)
                .containsExactly(tuple(2, 6), tuple(2, 27));
    }
}
