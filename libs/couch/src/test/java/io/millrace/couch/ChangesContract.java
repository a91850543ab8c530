package io.millrace.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The feed of changes: its order, positions, kinds of feeds, filters and selectors. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ChangesContract {

    private CouchClient couch;
    private String db;

    protected abstract DocumentStore store();

    protected abstract CouchClient client(DocumentStore store);

    @BeforeAll
    void start() {
        couch = client(store());
    }

    @AfterAll
    void stop() {
        couch.close();
    }

    @BeforeEach
    void write() {
        db = couch.newDatabase();
        put("a", "{\"n\":1,\"tags\":[\"x\",\"y\"]}");
        put("b", "{\"n\":2,\"tags\":[]}");
        put("c", "{\"name\":\"none\"}");
    }

    private String put(String id, String body) {
        CouchClient.Answer answer = couch.send("PUT", db + "/" + id, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.json().path("rev").asString();
    }

    private CouchClient.Answer feed(String query) {
        CouchClient.Answer answer = couch.send("GET", db + "/_changes" + query, null);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer;
    }

    private static List<String> ids(JsonNode feed) {
        return feed.path("results")
                .valueStream()
                .map(row -> row.path("id").asString())
                .toList();
    }

    private String lastSeq() {
        return feed("").json().path("last_seq").asString();
    }

    @Test
    void rows_comeInTheOrderOfTheWrites() {
        JsonNode all = feed("").json();

        assertThat(ids(all)).containsExactly("a", "b", "c");
        assertThat(all.path("results").findValuesAsString("seq")).isSorted().doesNotHaveDuplicates();
        assertThat(all.path("last_seq").asString())
                .isEqualTo(all.path("results").path(2).path("seq").asString());
        assertThat(all.path("pending").asInt()).isZero();
    }

    @Test
    void document_thatChangesAgain_movesToTheEnd() {
        String rev = feed("").json()
                .path("results")
                .path(0)
                .path("changes")
                .path(0)
                .path("rev")
                .asString();

        String next = put("a", "{\"_rev\":\"" + rev + "\"}");

        JsonNode all = feed("").json();
        assertThat(ids(all)).containsExactly("b", "c", "a");
        assertThat(all.path("results")
                        .path(2)
                        .path("changes")
                        .path(0)
                        .path("rev")
                        .asString())
                .isEqualTo(next);
    }

    @Test
    void since_returnsOnlyLaterRows() {
        String seq = feed("").json().path("results").path(1).path("seq").asString();

        assertThat(ids(feed("?since=" + seq).json())).containsExactly("c");
        assertThat(ids(feed("?since=now").json())).isEmpty();
    }

    @Test
    void limit_endsTheFeedAndTellsWhatIsPending() {
        JsonNode two = feed("?limit=2").json();

        assertThat(ids(two)).containsExactly("a", "b");
        assertThat(two.path("pending").asInt()).isEqualTo(1);
        assertThat(ids(feed("?since=" + two.path("last_seq").asString()).json()))
                .containsExactly("c");
    }

    @Test
    void descending_beginsWithTheNewest() {
        assertThat(ids(feed("?descending=true&limit=2").json())).containsExactly("c", "b");
    }

    @Test
    void includeDocs_addsTheDocument() {
        JsonNode row = feed("?include_docs=true").json().path("results").path(0);

        assertThat(row.path("doc").path("_id").asString()).isEqualTo("a");
        assertThat(row.path("doc").path("n").asInt()).isEqualTo(1);
    }

    @Test
    void deletedDocument_isARowThatSaysSo() {
        String rev = couch.send("GET", db + "/b", null).json().path("_rev").asString();

        couch.send("DELETE", db + "/b?rev=" + rev, null);

        JsonNode last = feed("").json().path("results").path(2);
        assertThat(last.path("id").asString()).isEqualTo("b");
        assertThat(last.path("deleted").asBoolean()).isTrue();
    }

    @Test
    void allDocsStyle_listsTheRevisionsOfAllBranches() {
        couch.send(
                "POST",
                db + "/_bulk_docs",
                "{\"new_edits\":false,\"docs\":[{\"_id\":\"a\",\"_rev\":\"1-zzz\",\"m\":2}]}");

        assertThat(changes("")).isEqualTo(1);
        assertThat(changes("?style=all_docs")).isEqualTo(2);
    }

    private int changes(String query) {
        JsonNode last = feed(query).json().path("results").path(2);
        assertThat(last.path("id").asString()).isEqualTo("a");
        return last.path("changes").size();
    }

    @Test
    void longpoll_answersAtOnceWhenThereAreChanges() {
        assertThat(ids(feed("?feed=longpoll&since=0&timeout=60000").json())).containsExactly("a", "b", "c");
    }

    @Test
    void longpoll_withoutChanges_answersWhenItsTimeIsUp() {
        String last = lastSeq();

        JsonNode answer = feed("?feed=longpoll&timeout=20&since=" + last).json();

        assertThat(ids(answer)).isEmpty();
        assertThat(answer.path("last_seq").asString()).isEqualTo(last);
    }

    @Test
    void continuousFeed_isOneObjectPerLine() {
        String[] lines = feed("?feed=continuous&timeout=20").text().strip().split("\n");

        assertThat(lines).hasSize(4);
        assertThat(CouchClient.JSON.readTree(lines[0]).path("id").asString()).isEqualTo("a");
        assertThat(CouchClient.JSON.readTree(lines[3]).has("last_seq")).isTrue();
    }

    @Test
    void continuousFeed_withHeartbeat_sendsEmptyLinesWhileItWaits() {
        String text = feed("?feed=continuous&heartbeat=5&limit=3&since=0").text();
        String last = lastSeq();
        Thread writer = Thread.ofVirtual().unstarted(() -> put("late", "{}"));

        assertThat(text).doesNotContain("\n\n");
        assertThat(waited(last, writer)).contains("\n\n").contains("\"late\"");
    }

    /** Follows the feed until the one row that is written after heartbeats have had time to come. */
    private String waited(String since, Thread writer) {
        Thread.ofVirtual().start(() -> {
            couch.send("GET", db + "/_changes?feed=longpoll&timeout=100&since=" + since, null);
            writer.start();
        });
        return feed("?feed=continuous&heartbeat=5&limit=1&since=" + since).text();
    }

    @Test
    void eventSource_hasDataAndIds() {
        CouchClient.Answer answer = feed("?feed=eventsource&limit=1&since=0");

        assertThat(answer.header("content-type")).startsWith("text/event-stream");
        assertThat(answer.text()).contains("data: {").contains("id: ");
    }

    @Test
    void docIds_limitTheFeedToThem() {
        assertThat(ids(feed("?filter=_doc_ids&doc_ids=%5B%22b%22,%22zz%22%5D").json()))
                .containsExactly("b");
    }

    @Test
    void designFilter_passesDesignDocuments() {
        put("_design/d", "{}");

        assertThat(ids(feed("?filter=_design").json())).containsExactly("_design/d");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'n': 1}                         | a",
                "{'n': {'$gt': 0}}                | a,b",
                "{'n': {'$exists': false}}        | c",
                "{'tags': {'$all': ['x']}}        | a",
                "{'tags': {'$size': 0}}           | b",
                "{'name': {'$regex': '^no'}}      | c",
                "{'$or': [{'n': 2}, {'name': 'none'}]} | b,c",
                "{'n': {'$in': [1, 7]}}           | a",
            })
    void selector_passes(String selector, String passing) {
        CouchClient.Answer answer = couch.send(
                "POST", db + "/_changes?filter=_selector", "{\"selector\":" + selector.replace('\'', '"') + "}");

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(ids(answer.json())).containsExactly(passing.split(","));
    }

    @Test
    void selector_regexThatRepeats_isRefusedBeforeItFillsTheMemory() {
        CouchClient.Answer answer = couch.send(
                "POST",
                db + "/_changes?filter=_selector",
                "{\"selector\":{\"name\":{\"$regex\":\"(((a{100}){100}){100}){100}\"}}}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("A $regex has at most 1000 characters");
    }

    @ParameterizedTest
    @CsvSource({
        "feed=sometimes, 400",
        "style=some, 400",
        "heartbeat=0, 400",
        "limit=x, 400",
        "since=nonsense, 400",
        "filter=_none, 400",
        "filter=d/none, 404",
    })
    void wrongParameter_isRefused(String query, int status) {
        CouchClient.Answer answer = couch.send("GET", db + "/_changes?" + query, null);

        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.json().path("error").asString()).isNotEmpty();
    }
}
