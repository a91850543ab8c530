package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rows pass the filters of a changes feed, and which requests fail, as in CouchDB. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CouchFiltersTest {

    private final CouchKit couch = new CouchKit(new MemoryDocumentStore(InstantSource.system()));
    private String changes = "";

    @BeforeAll
    void write() {
        String db = couch.newDatabase();
        changes = db + "/_changes";
        put(db + "/a", "{\"n\":1,\"tags\":[\"x\",\"y\"],\"in\":{\"deep\":{\"k\":1.50}}}");
        put(db + "/b", "{\"n\":2,\"tags\":[],\"in\":7}");
        put(db + "/c", "{\"name\":\"none\"}");
        put(
                db + "/_design/d",
                "{\"filters\":{\"throws\":\"function (doc) { return doc.no.such; }\","
                        + "\"small\":\"function (doc) { return doc.n < 2; }\"},"
                        + "\"views\":{\"v\":{\"map\":\"function (doc) { if (doc.n > 1) emit(doc.n); }\"}}}");
        put(db + "/_design/bare", "{}");
    }

    @AfterAll
    void stop() {
        couch.close();
    }

    private void put(String path, String body) {
        assertThat(couch.send("PUT", path, body).status()).isEqualTo(201);
    }

    private CouchKit.Answer select(String body) {
        return couch.send("POST", changes + "?filter=_selector&include_docs=true", body);
    }

    private static List<String> ids(CouchKit.Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().path("results").findValuesAsString("id").stream()
                .filter(id -> id.length() == 1)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                        | abc",
                "{'n': 1}                                  | a",
                "{'n': {'$gt': 0}}                         | ab",
                "{'n': {'$ne': 1}}                         | b",
                "{'n': {'$not': {'$eq': 1}}}               | b",
                "{'$not': {'n': 1}}                        | b",
                "{'$nor': [{'n': 1}, {'n': 7}]}            | b",
                "{'$not': {'$and': [{'n': 1}, {'in': 7}]}} | ab",
                "{'$not': {'$or': [{'n': 1}, {'in': 9}]}}  | b",
                "{'n': {'$exists': false}}                 | c",
                "{'$not': {'n': {'$exists': true}}}        | c",
                "{'in.deep.k': {'$exists': false}}         | c",
                "{'in.deep.k': 1.5}                        | a",
                "{'in': {'deep': {'k': 1.5}}}              | a",
                "{'tags.0': 'x'}                           | a",
                "{'tags': {'$in': ['y', 'z']}}             | a",
                "{'tags': {'$nin': ['y', 'z']}}            | b",
                "{'tags': {'$all': ['x', 'y']}}            | a",
                "{'tags': {'$all': []}}                    | ``",
                "{'tags': {'$size': 0}}                    | b",
                "{'tags': {'$not': {'$size': 0}}}          | a",
                "{'tags': {'$elemMatch': {'$eq': 'x'}}}    | a",
                "{'name': {'$regex': '^no'}}               | c",
                "{'n': {'$mod': [2, 0]}}                   | b",
                "{'$and': []}                              | abc",
                "{'$or': []}                               | abc",
            })
    void selector_passes(String selector, String passing) {
        CouchKit.Answer answer = select("{\"selector\":" + selector.replace('\'', '"') + "}");

        assertThat(String.join("", ids(answer))).isEqualTo(passing);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                          | Selector error: expected a JSON object",
                "{'selector': []}                            | Selector error: expected a JSON object",
                "{'selector': {'$gt': 5}}                    | One or more conditions is missing a field name.",
                "{'selector': {'n': {'$in': 5}}}             | Bad argument for operator $in: 5",
                "{'selector': {'$or': {'a': 'b'}}}           | Bad argument for operator $or: {[{<<97>>,<<98>>}]}",
                "{'selector': {'n': {'$exists': 'yes'}}}     | Bad argument for operator $exists: <<121,101,115>>",
                "{'selector': {'n': {'$size': -1}}}          | Bad argument for operator $size: -1",
                "{'selector': {'n': {'$where': 'x'}}}        | Unsupported operator: $where",
                "{'selector': {'n': {'$foo': 1}}}            | Invalid operator: $foo",
                "{'selector': {}, 'fields': 'n'}             | Selector error: fields must be JSON array",
                "{'selector': {}, 'fields': ['n', 5]}        | Invalid JSON for field spec: 5",
            })
    void invalidSelector_isRejected(String body, String reason) {
        CouchKit.Answer answer = select(body.replace('\'', '"'));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("reason").asString()).isEqualTo(reason);
    }

    @Test
    void fields_areCutByTheirPaths() {
        CouchKit.Answer answer =
                select("{\"selector\":{\"_id\":\"a\"},\"fields\":[\"_id\",\"in.deep.k\",\"n\",\"in.none\",\"x.y\"]}");

        assertThat(answer.text()).contains("\"doc\":{\"_id\":\"a\",\"in\":{\"deep\":{\"k\":1.50}},\"n\":1}");
    }

    @ParameterizedTest
    @CsvSource({
        "?filter=d/small, 200",
        "?filter=/d//small/, 200",
        "?filter=/, 200",
        "?filter=_view&view=d/v, 200",
        "?filter=d/none, 404 missing json key: none",
        "?filter=bare/none, 404 missing json key: filters",
        "?filter=none/none, 404 missing",
        "?filter=_view&view=d/none, 404 missing json key: none",
        "?filter=_view&view=bare/v, 404 missing json key: views",
        "?filter=d/throws, 500",
        "'?filter=_doc_ids&doc_ids=%5B1,2%5D', 400 `doc_ids` filter parameter is not a list of doc ids.",
    })
    void namedFilters(String query, String expected) {
        CouchKit.Answer answer = couch.send("GET", changes + query, null);

        String reason = answer.json().path("reason").asString("");
        assertThat((answer.status() + " " + reason).strip()).startsWith(expected);
        assertThat(answer.json().path("error").asString("")).matches(answer.status() == 200 ? "" : ".+");
    }

    @Test
    void docIds_ofAPost_areThoseOfItsBody() {
        CouchKit.Answer answer = couch.send("POST", changes + "?filter=_doc_ids&doc_ids=%5B%22a%22%5D", "{}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(ids(couch.send("POST", changes + "?filter=_doc_ids", "{\"doc_ids\":[\"b\",\"b\",\"zz\"]}")))
                .containsExactly("b");
    }
}
