package io.millrace.n1qldocuments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that create, drop and empty buckets, scopes and collections. */
class ContainersTest {

    private static final String COLLECTIONS =
            "SELECT RAW `bucket` || '.' || `scope` || '.' || name FROM system:all_keyspaces"
                    + " WHERE `scope` IS VALUED ORDER BY `bucket`, `scope`, name";

    private final StoreKit.Clock clock = new StoreKit.Clock();
    private final DocumentStore store = new MemoryDocumentStore(clock);
    private final QueryEngine engine =
            new QueryEngine(new DocumentKeyspaces(store, name -> !name.startsWith("_"), () -> null), clock);

    @BeforeEach
    void createBuckets() {
        StoreKit.await(store.catalog().createBucket("shop", 1));
        StoreKit.await(store.catalog().createScope("shop", "us"));
        StoreKit.await(store.catalog().createCollection(new Keyspace("shop", "us", "orders")));
        StoreKit.await(store.with(SystemHandle.METAKV).catalog().createBucket("_metakv", 1));
    }

    private List<String> rows(String statement) {
        return rows(statement, QueryOptions.DEFAULT, null);
    }

    private List<String> rows(String statement, QueryOptions options, @Nullable List<QueryException> warnings) {
        List<String> rows = new ArrayList<>();
        try (Rows cursor = engine.execute(statement, options)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row.toJson());
            }
            if (warnings != null) {
                warnings.addAll(cursor.warnings());
            }
        }
        return rows;
    }

    private QueryException failure(String statement) {
        return catchThrowableOfType(QueryException.class, () -> rows(statement));
    }

    @Test
    void scopesAndCollections_areCreatedFilledAndDropped() {
        rows("CREATE SCOPE shop.eu");
        assertThat(rows("SELECT RAW name FROM system:scopes WHERE `bucket` = 'shop' ORDER BY name"))
                .containsExactly("\"_default\"", "\"eu\"", "\"us\"");
        rows("CREATE COLLECTION default:shop.eu.orders");
        rows("CREATE PRIMARY INDEX ON shop.eu.orders");
        rows("INSERT INTO shop.eu.orders VALUES ('a', {'n': 1})");

        assertThat(rows("SELECT RAW n FROM shop.eu.orders")).containsExactly("1");

        rows("DROP COLLECTION shop.eu.orders");
        assertThat(failure("SELECT * FROM shop.eu.orders").code()).isEqualTo(ErrorCode.KEYSPACE_NOT_FOUND.code());
        rows("CREATE COLLECTION shop.eu.orders");
        assertThat(failure("SELECT * FROM shop.eu.orders").code()).isEqualTo(ErrorCode.NO_INDEX.code());
        rows("DROP SCOPE shop.eu");
        assertThat(failure("CREATE COLLECTION shop.eu.orders").code()).isEqualTo(ErrorCode.KEYSPACE_NOT_FOUND.code());
    }

    @Test
    void buckets_areCreatedAndDropped() {
        rows("CREATE BUCKET stock");
        rows("UPSERT INTO stock VALUES ('a', 1)");
        assertThat(rows("SELECT RAW s FROM stock s USE KEYS 'a'")).containsExactly("1");

        rows("DROP BUCKET stock");
        assertThat(failure("SELECT * FROM stock").code()).isEqualTo(ErrorCode.KEYSPACE_NOT_FOUND.code());
    }

    @Test
    void collection_isCreatedInTheScopeOfTheQueryContext() {
        rows("CREATE SCOPE shop.eu");
        rows("CREATE COLLECTION orders", QueryOptions.DEFAULT.withQueryContext(new QueryContext("shop", "eu")), null);

        assertThat(rows(COLLECTIONS)).contains("\"shop.eu.orders\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE SCOPE shop.us | CREATE SCOPE IF NOT EXISTS shop.us | SCOPE_EXISTS",
                "CREATE COLLECTION shop.us.orders | CREATE COLLECTION shop.us.orders IF NOT EXISTS"
                        + " | KEYSPACE_EXISTS",
                "CREATE BUCKET shop | CREATE BUCKET IF NOT EXISTS shop | KEYSPACE_EXISTS",
                "DROP SCOPE shop.eu | DROP SCOPE IF EXISTS shop.eu | SCOPE_NOT_FOUND",
                "DROP COLLECTION shop.eu.orders | DROP COLLECTION shop.eu.orders IF EXISTS | KEYSPACE_NOT_FOUND",
                "DROP BUCKET stock | DROP BUCKET IF EXISTS stock | BUCKET_NOT_FOUND"
            })
    void whatIsThereOrNot_isAnErrorUnlessTheStatementAcceptsIt(String strict, String lenient, ErrorCode code) {
        assertThat(failure(strict).code()).isEqualTo(code.code());
        assertThat(rows(lenient)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "CREATE SCOPE shop, SYNTAX, bucket.scope",
        "CREATE COLLECTION orders, SYNTAX, bucket.scope.collection",
        "CREATE BUCKET shop.eu, SYNTAX, the form bucket",
        "CREATE SCOPE stock.eu, KEYSPACE_NOT_FOUND, stock",
        "CREATE SCOPE shop.`%!`, DML, %!",
        "DROP SCOPE shop._default, DML, _default",
        "DROP BUCKET _metakv, KEYSPACE_NOT_FOUND, _metakv",
        "CREATE BUCKET _own, KEYSPACE_NOT_FOUND, _own",
        "FLUSH COLLECTION shop.eu.orders, KEYSPACE_NOT_FOUND, shop.eu.orders"
    })
    void wrongNames_areRefusedInWords(String statement, ErrorCode code, String words) {
        QueryException failure = failure(statement);

        assertThat(failure.code()).as(failure.toString()).isEqualTo(code.code());
        assertThat(failure).hasMessageContaining(words);
    }

    @Test
    void options_thatHaveNoEffect_areNamedInAWarning() {
        List<QueryException> warnings = new ArrayList<>();

        rows("CREATE COLLECTION shop._default.kept WITH {'history': true}", QueryOptions.DEFAULT, warnings);

        assertThat(warnings)
                .singleElement()
                .satisfies(warning -> assertThat(warning).hasMessageContaining("history"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"COLLECTION shop._default.short WITH {'maxTTL': 60}", "BUCKET short WITH {'maxTTL': '1d'}"})
    void timeToLiveOfAContainer_isRefused_andNothingIsCreated(String container) {
        QueryException failure = failure("CREATE " + container);

        assertThat(failure).hasMessageContaining("maxTTL is ").hasMessageContaining("has no time to live");
        rows("CREATE " + container.replaceAll(" WITH.*", ""));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void timeToLiveThatMeansNone_isTaken(int none) {
        rows("CREATE COLLECTION shop._default.endless WITH {'maxTTL': %d}".formatted(none));
    }

    @ParameterizedTest
    @CsvSource({"FLUSH COLLECTION shop", "TRUNCATE KEYSPACE shop", "FLUSH shop"})
    void flush_deletesAllDocumentsAndKeepsIndexes(String statement) {
        rows("CREATE PRIMARY INDEX ON shop");
        rows("UPSERT INTO shop (KEY 'k' || TO_STRING(i), VALUE i) SELECT i FROM ARRAY_RANGE(0, 600) AS i");
        assertThat(rows("SELECT RAW COUNT(*) FROM shop")).containsExactly("600");

        rows(statement);

        assertThat(rows("SELECT RAW COUNT(*) FROM shop")).containsExactly("0");
    }

    @Test
    void words_ofTheseStatements_areNamesElsewhere() {
        rows("UPSERT INTO shop VALUES ('a', {'bucket': 1, 'scope': 2, 'flush': 3, 'truncate': 4, 'collection': 5})");

        assertThat(rows("SELECT bucket, scope, flush, s.truncate, collection FROM shop s USE KEYS 'a'"))
                .containsExactly("{\"bucket\":1,\"scope\":2,\"flush\":3,\"truncate\":4,\"collection\":5}");
    }

    @Test
    void explain_namesWhatIsChanged() {
        assertThat(rows("EXPLAIN CREATE COLLECTION shop.eu.orders"))
                .singleElement()
                .asString()
                .contains("\"#operator\":\"CreateCollection\"", "shop.eu.orders");
        assertThat(rows(COLLECTIONS)).containsExactly("\"shop._default._default\"", "\"shop.us.orders\"");
    }
}
