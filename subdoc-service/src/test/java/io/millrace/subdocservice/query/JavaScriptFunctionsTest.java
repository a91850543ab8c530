package io.millrace.subdocservice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.documents.StoreKit;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.Admission;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.SlowRequests;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.ServiceCatalog;
import io.millrace.n1ql.value.Value;
import io.millrace.n1qldocuments.DocumentKeyspaces;
import io.millrace.n1qldocuments.SubjectRights;
import io.millrace.subdocservice.sandbox.SharedEngine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions of statements that are written in JavaScript. */
class JavaScriptFunctionsTest {

    private static final SharedEngine ENGINE = new SharedEngine();

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final JavaScriptFunctions functions = new JavaScriptFunctions(ENGINE, Duration.ofMinutes(10));
    private final QueryEngine engine = new QueryEngine(
            new DocumentKeyspaces(store, bucket -> !bucket.startsWith("_"), () -> null),
            InstantSource.system(),
            QueryEngine.MemoryWatch.NONE,
            SlowRequests.DEFAULT,
            Admission.NONE,
            functions,
            ServiceCatalog.NONE);

    @BeforeEach
    void documents() {
        StoreKit.await(store.catalog().createBucket("t", 1));
        rows("CREATE PRIMARY INDEX ON t");
        rows("UPSERT INTO t VALUES ('a', {'n': 1}), ('b', {'n': 2}), ('c', {'n': 3})");
    }

    @AfterEach
    void close() {
        functions.close();
    }

    @AfterAll
    static void closeEngine() {
        ENGINE.close();
    }

    private List<String> rows(String statement) {
        List<String> rows = new ArrayList<>();
        try (Rows cursor = engine.execute(statement, QueryOptions.DEFAULT)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row.toJson());
            }
        }
        return rows;
    }

    private QueryException failure(String statement) {
        QueryException failure = catchThrowableOfType(QueryException.class, () -> rows(statement));
        assertThat(failure).as(statement).isNotNull();
        return failure;
    }

    private void create(String name, String code) {
        rows("CREATE OR REPLACE FUNCTION " + name + " LANGUAGE JAVASCRIPT AS "
                + Value.of(code).toJson());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "return a + b; | f(1, 2) | 3",
                "return a + b; | f('x', 'y') | \"xy\"",
                "return {b: b, a: [a]}; | f(1, NULL) | {\"b\":null,\"a\":[1]}",
                "return typeof a + typeof b; | f(MISSING, NULL) | \"undefinedobject\"",
                "return; | f(1, 2) IS MISSING | true",
                "return null; | f(1, 2) | null",
                "return a.list.filter(function (v) { return v % b; }); | f({'list': [1, 2, 3]}, 2) | [1,3]",
                "return helper(a); } function helper(v) { return v * 2; | f(21, 0) | 42"
            })
    void calls_haveTheValueThatTheCodeReturns(String body, String call, String value) {
        create("f(a, b)", "function f(a, b) { " + body + " }");

        assertThat(rows("SELECT RAW " + call)).containsExactly(value);
    }

    @Test
    void variadicFunctions_getAllArguments() {
        create("f(...)", "function f() { return arguments.length; }");

        assertThat(rows("SELECT RAW f(1, MISSING, 3)")).containsExactly("3");
    }

    @Test
    void functions_standWhereOthersDo_andAreReplaced() {
        create("t._default.twice(n)", "function twice(n) { return 2 * n; }");
        assertThat(rows("SELECT RAW t._default.twice(n) FROM t ORDER BY t._default.twice(n) DESC"))
                .containsExactly("6", "4", "2");

        create("t._default.twice(n)", "function twice(n) { return 20 * n; }");

        assertThat(rows("EXECUTE FUNCTION t._default.twice(1)")).containsExactly("20");
        assertThat(rows("SELECT RAW f.definition FROM system:functions f"))
                .singleElement()
                .asString()
                .contains("\"#language\":\"javascript\"", "20 * n", "[\"n\"]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "f(a) | function f(a) { return a + ; } | line 1",
                "f(a) | function other(a) { return a; } | does not declare function f(...)",
                "x-y(a) | function f(a) { return a; } | a name that JavaScript allows",
                "f(a) | var count = 0; function f(a) { return a; } | line 1",
            })
    void mistakes_areRefusedWithTheirPlace(String name, String code, String words) {
        QueryException failure = failure("CREATE FUNCTION " + name.replace("x-y", "`x-y`") + " LANGUAGE JAVASCRIPT AS "
                + Value.of(code).toJson());

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.SEMANTICS);
        assertThat(failure).hasMessageContaining(words);
        assertThat(rows("SELECT * FROM system:functions")).isEmpty();
    }

    @Test
    void codeOfThoseWhoMayNotCreate_isNotCompiled() {
        Subject ann = Subject.user("ann", Subject.Domain.LOCAL, List.of(Role.parse("query_select[t]")));
        QueryOptions asAnn = QueryOptions.DEFAULT.withRights(new SubjectRights(ann));

        QueryException refusal = catchThrowableOfType(
                QueryException.class,
                () -> engine.execute("CREATE FUNCTION f(a) LANGUAGE JAVASCRIPT AS 'no code'", asAnn)
                        .close());

        assertThat(refusal.errorCode()).isEqualTo(ErrorCode.NO_CREDENTIALS);
    }

    @Test
    void failingCalls_sayWhereInTheCode() {
        create("f(a)", "function f(a) {\n  return a.b.c;\n}");

        QueryException failure = failure("SELECT f({})");

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.FUNCTION_FAILED);
        assertThat(failure)
                .hasMessageContaining("default:f")
                .hasMessageContaining("TypeError")
                .hasMessageContaining("line 2");
        assertThat(failure("SELECT f()").errorCode()).isEqualTo(ErrorCode.FUNCTION_ARGUMENTS);
        assertThat(rows("SELECT RAW f({'b': {'c': 1}})")).containsExactly("1");
    }

    @Test
    void endlessCalls_holdUpThoseOfTheSameFunctionOnly() {
        create("endless()", "function endless() { while (true) { } }");
        create("quick()", "function quick() { return 1; }");
        List<CompletableFuture<QueryException>> endless = new ArrayList<>();
        for (int i = 0; i < QueryLimits.THREADS_OF_FUNCTION + 1; i++) {
            endless.add(CompletableFuture.supplyAsync(() -> failure("SELECT endless()"), Thread.ofPlatform()::start));
        }

        assertThat(rows("SELECT RAW quick()")).containsExactly("1");
        assertThat(endless).noneMatch(CompletableFuture::isDone);
        await().until(() -> engine.active().size() == endless.size());
        engine.active().keySet().forEach(engine::cancel);
        assertThat(endless).allSatisfy(one -> assertThat(one.join().errorCode()).isEqualTo(ErrorCode.CANCELLED));
    }

    @Test
    void longCalls_areStopped() {
        FunctionDefinition endless = new FunctionDefinition(
                FunctionDefinition.Name.global("f"),
                FunctionDefinition.Language.JAVASCRIPT,
                List.of(),
                false,
                "function f() {\n  while (true) { }\n}");
        try (JavaScriptFunctions strict = new JavaScriptFunctions(ENGINE, Duration.ofMillis(100))) {
            assertThat(strict.call(endless, List.of()))
                    .failsWithin(Duration.ofMinutes(2))
                    .withThrowableThat()
                    .withMessageContaining("took longer than 100 ms (line 2");
        }
    }
}
