package io.millrace.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Databases, documents, revisions, attachments and bulk requests of the CouchDB face. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class CouchContract {

    private DocumentStore store;
    private CouchClient couch;
    private String db;

    protected abstract DocumentStore store();

    protected abstract CouchClient client(DocumentStore store);

    @BeforeAll
    void start() {
        store = store();
        couch = client(store);
    }

    @AfterAll
    void stop() {
        couch.close();
    }

    @BeforeEach
    void createDatabase() {
        db = couch.newDatabase();
    }

    private JsonNode get(String path) {
        CouchClient.Answer answer = couch.send("GET", db + path, null);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json();
    }

    private JsonNode put(String path, String body, String... headers) {
        CouchClient.Answer answer = couch.send("PUT", db + path, body, headers);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.json();
    }

    private JsonNode post(String path, String body) {
        CouchClient.Answer answer = couch.send("POST", db + path, body);
        assertThat(answer.status()).as(answer.text()).isBetween(200, 201);
        return answer.json();
    }

    private String rev(String id) {
        return get("/" + id).path("_rev").asString();
    }

    private void write(Write write) {
        store.write(write).join();
    }

    private DocumentKey key(String id) {
        return new DocumentKey(Keyspace.of(db), id);
    }

    private String body(String id) {
        return new String(store.get(key(id)).join().orElseThrow().body(), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void database_isABucket() {
        assertThat(couch.send("PUT", db, null).status()).isEqualTo(412);
        assertThat(couch.send("GET", "", null).json().path("couchdb").asString())
                .isEqualTo("Welcome");
        assertThat(couch.send("GET", "_all_dbs", null).json().valueStream().map(JsonNode::asString))
                .contains(db)
                .doesNotContain("_couch");
        put("/a", "{}");
        assertThat(get("").path("doc_count").asInt()).isOne();
        assertThat(store.catalog().find(db).join()).isPresent();

        assertThat(couch.send("DELETE", db, null).status()).isEqualTo(200);
        assertThat(couch.send("GET", db, null).json().path("reason").asString()).isEqualTo("Database does not exist.");
    }

    @Test
    void document_isTheSameThroughEveryApi() {
        write(Write.upsert(key("a"), bytes("{\"n\": 1.50}")));
        String first = rev("a");
        assertThat(first).startsWith("1-");
        write(Write.upsert(key("a"), bytes("{\"n\": 2}")));
        String second = rev("a");
        assertThat(second).startsWith("2-");
        assertThat(get("/a?revs=true").path("_revisions").path("ids").get(1).asString())
                .isEqualTo(first.substring(2));

        String third = put("/a", "{\"_rev\":\"" + second + "\",\"n\": 1.50}")
                .path("rev")
                .asString();

        assertThat(third).startsWith("3-");
        assertThat(body("a")).isEqualTo("{\"n\":1.50}");
        write(Write.remove(key("a")));
        JsonNode row = get("/_changes").path("results").get(0);
        assertThat(row.path("deleted").asBoolean()).isTrue();
        assertThat(row.path("changes").get(0).path("rev").asString()).startsWith("4-");
        write(Write.upsert(key("a"), bytes("{}")));
        assertThat(rev("a")).startsWith("5-");
        assertThat(get("/a?revs=true")
                        .path("_revisions")
                        .path("ids")
                        .valueStream()
                        .map(JsonNode::asString))
                .hasSize(5)
                .contains(first.substring(2), second.substring(2), third.substring(2));
    }

    @Test
    void membersWithAnUnderscore_areUnseenAndStay() {
        write(Write.upsert(key("a"), bytes("{\"_class\":\"a.User\",\"_deleted\":true,\"n\":1}")));
        String first = rev("a");
        String plain = "{\"_id\":\"a\",\"_rev\":\"" + first + "\",\"n\":1}";

        assertThat(get("/a")).hasToString(plain);
        assertThat(get("/_changes?include_docs=true").path("results").get(0).path("doc"))
                .hasToString(plain);
        assertThat(post("/_bulk_get", "{\"docs\":[{\"id\":\"a\"}]}")
                        .at("/results/0/docs/0/ok")
                        .toString())
                .isEqualTo(plain);

        put("/a", plain.replace("1}", "2}"));
        assertThat(body("a")).isEqualTo("{\"n\":2,\"_class\":\"a.User\",\"_deleted\":true}");

        String loser = "{\"_id\":\"a\",\"_rev\":\"2-0\",\"n\":3,\"_revisions\":{\"start\":2,\"ids\":[\"0\",\""
                + first.substring(2) + "\"]}}";
        post("/_bulk_docs", "{\"new_edits\":false,\"docs\":[" + loser + "]}");
        couch.send("DELETE", db + "/a?rev=" + rev("a"), null);
        assertThat(body("a")).isEqualTo("{\"n\":3,\"_class\":\"a.User\",\"_deleted\":true}");
    }

    @Test
    void recreation_goesOnFromTheTombstone() {
        String one = put("/a", "{}").path("rev").asString();
        String gone = couch.send("DELETE", db + "/a?rev=" + one, null)
                .json()
                .path("rev")
                .asString();
        assertThat(gone).startsWith("2-");
        assertThat(couch.send("GET", db + "/a", null).json().path("reason").asString())
                .isEqualTo("deleted");

        assertThat(put("/a", "{}").path("rev").asString()).startsWith("3-");
        assertThat(couch.send("PUT", db + "/a", "{}").status()).isEqualTo(409);
    }

    @Test
    void conflicts_keepTheirBodies_andTheLoserComesBackWhenTheWinnerGoes() {
        String replicated = "{\"new_edits\":false,\"docs\":["
                + "{\"_id\":\"a\",\"v\":\"base\",\"_revisions\":{\"start\":1,\"ids\":[\"z\"]}},"
                + "{\"_id\":\"a\",\"v\":\"x\",\"_revisions\":{\"start\":2,\"ids\":[\"x\",\"z\"]}},"
                + "{\"_id\":\"a\",\"v\":\"y\",\"_revisions\":{\"start\":2,\"ids\":[\"y\",\"z\"]}}]}";
        assertThat(post("/_bulk_docs", replicated)).isEmpty();

        JsonNode winner = get("/a?conflicts=true");
        assertThat(winner.path("v").asString()).isEqualTo("y");
        assertThat(winner.path("_conflicts").get(0).asString()).isEqualTo("2-x");
        assertThat(get("/a?rev=2-x").path("v").asString()).isEqualTo("x");
        JsonNode open = get("/a?open_revs=" + "%5B%222-x%22%2C%229-q%22%5D");
        assertThat(open.get(0).path("ok").path("v").asString()).isEqualTo("x");
        assertThat(open.get(1).path("missing").asString()).isEqualTo("9-q");

        couch.send("DELETE", db + "/a?rev=2-y", null);

        assertThat(get("/a").path("v").asString()).isEqualTo("x");
        assertThat(body("a")).isEqualTo("{\"v\":\"x\"}");
        assertThat(get("/_changes?style=all_docs").path("results").get(0).path("changes"))
                .hasSize(2);
        assertThat(post("/_bulk_docs", replicated))
                .as("known revisions are no news")
                .isEmpty();
        assertThat(get("/a").path("v").asString()).isEqualTo("x");
    }

    @Test
    void revsDiff_and_bulkGet_serveReplicators() {
        String rev = put("/a", "{\"v\":1}").path("rev").asString();

        JsonNode diff = post("/_revs_diff", "{\"a\":[\"" + rev + "\",\"5-q\"],\"b\":[\"1-x\"]}");
        JsonNode got = post(
                "/_bulk_get?revs=true&latest=true",
                "{\"docs\":[{\"id\":\"a\",\"rev\":\"" + rev + "\"},{\"id\":\"b\",\"rev\":\"1-x\"}]}");

        assertThat(diff.path("a").path("missing").valueStream().map(JsonNode::asString))
                .containsExactly("5-q");
        assertThat(diff.path("a").path("possible_ancestors").get(0).asString()).isEqualTo(rev);
        assertThat(diff.path("b").path("missing").get(0).asString()).isEqualTo("1-x");
        JsonNode ok = got.path("results").get(0).path("docs").get(0).path("ok");
        assertThat(ok.path("v").asInt()).isOne();
        assertThat(ok.path("_revisions").path("start").asInt()).isOne();
        assertThat(got.path("results")
                        .get(1)
                        .path("docs")
                        .get(0)
                        .path("error")
                        .path("error")
                        .asString())
                .isEqualTo("not_found");
        assertThat(couch.send("POST", db + "/_ensure_full_commit", "{}").status())
                .isEqualTo(201);
    }

    @Test
    void localDocuments_areStoredAndNotInTheFeed() {
        String before = get("").path("update_seq").asString();
        assertThat(couch.send("GET", db + "/_local/c", null).status()).isEqualTo(404);
        assertThat(put("/_local/c", "{\"seq\":1}").path("rev").asString()).isEqualTo("0-1");
        assertThat(put("/_local/c", "{\"seq\":2,\"_rev\":\"0-1\"}").path("rev").asString())
                .isEqualTo("0-2");

        assertThat(get("/_local/c").path("seq").asInt()).isEqualTo(2);
        assertThat(get("").path("update_seq").asString()).isEqualTo(before);
        assertThat(get("/_all_docs").path("rows")).isEmpty();
        assertThat(couch.send("DELETE", db + "/_local/c?rev=0-2", null).status())
                .isEqualTo(200);
        assertThat(couch.send("GET", db + "/_local/c", null).status()).isEqualTo(404);
    }

    @Test
    void aPageAsAttachment_isSavedAndNotShown() {
        put("/p/evil.html", "<script>fetch('/api/v1/functions')</script>", "Content-Type", "text/html");

        CouchClient.Answer page = couch.send("GET", db + "/p/evil.html", null);

        assertThat(page.header("content-type")).isEqualTo("text/html");
        assertThat(page.header("content-disposition")).isEqualTo("attachment");
        assertThat(page.header("content-security-policy")).startsWith("sandbox;");
    }

    @Test
    void attachments_travelWithTheirRevisions() {
        String data = Base64.getEncoder().encodeToString(bytes("hello"));
        String rev = put(
                        "/a",
                        "{\"_attachments\":{\"t.txt\":{\"content_type\":\"text/plain\",\"data\":\"" + data + "\"}}}")
                .path("rev")
                .asString();
        String second = put("/a/b.bin?rev=" + rev, "abc", "Content-Type", "application/x-b")
                .path("rev")
                .asString();

        JsonNode stubs = get("/a").path("_attachments");
        assertThat(stubs.path("t.txt").path("stub").asBoolean()).isTrue();
        assertThat(stubs.path("t.txt").path("length").asInt()).isEqualTo(5);
        assertThat(stubs.path("b.bin").path("revpos").asInt()).isEqualTo(2);
        CouchClient.Answer file = couch.send("GET", db + "/a/t.txt", null);
        assertThat(file.text()).isEqualTo("hello");
        assertThat(file.header("content-type")).isEqualTo("text/plain");
        assertThat(get("/a?attachments=true")
                        .path("_attachments")
                        .path("t.txt")
                        .path("data")
                        .asString())
                .isEqualTo(data);
        String third = put("/a", "{\"_rev\":\"" + second + "\",\"_attachments\":{\"t.txt\":{\"stub\":true}}}")
                .path("rev")
                .asString();
        assertThat(third).startsWith("3-");
        assertThat(couch.send("GET", db + "/a/b.bin", null).status()).isEqualTo(404);
        write(Write.upsert(key("a"), bytes("{\"by\":\"another road\"}")));
        assertThat(get("/a").path("_attachments").path("t.txt").path("length").asInt())
                .isEqualTo(5);
        assertThat(couch.send("PUT", db + "/n", "{\"_attachments\":{\"x\":{\"stub\":true}}}")
                        .status())
                .isEqualTo(412);
    }

    @Test
    void edit_withAnIdempotencyKey_isDoneOnce() {
        JsonNode first = put("/a", "{\"v\":1}", "Idempotency-Key", "k1");
        assertThat(put("/a", "{\"v\":1}", "Idempotency-Key", "k1")).isEqualTo(first);
        String rev = first.path("rev").asString();
        String edit = "{\"_rev\":\"" + rev + "\",\"v\":2}";
        JsonNode second = put("/a", edit, "Idempotency-Key", "k2");
        put("/a", "{\"_rev\":\"" + second.path("rev").asString() + "\",\"v\":3}");

        assertThat(put("/a", edit, "Idempotency-Key", "k2")).isEqualTo(second);
        assertThat(couch.send("PUT", db + "/a", edit, "Idempotency-Key", "other")
                        .status())
                .isEqualTo(409);
        assertThat(couch.send("PUT", db + "/a", edit).status()).isEqualTo(409);
        JsonNode made = couch.send("POST", db, "{}", "Idempotency-Key", "k3").json();
        assertThat(couch.send("POST", db, "{}", "Idempotency-Key", "k3").json()).isEqualTo(made);
        assertThat(get("/_changes").path("results")).hasSize(2);
        assertThat(get("/a").path("v").asInt()).isEqualTo(3);
    }

    @Test
    void allDocs_areSortedAndCut() {
        List.of("b", "a", "d", "c").forEach(id -> put("/" + id, "{\"v\":\"" + id + "\"}"));
        couch.send("DELETE", db + "/d?rev=" + rev("d"), null);

        assertThat(get("/_all_docs")
                        .path("rows")
                        .valueStream()
                        .map(row -> row.path("id").asString()))
                .containsExactly("a", "b", "c");
        JsonNode some =
                get("/_all_docs?include_docs=true&startkey=%22b%22&limit=1").path("rows");
        assertThat(some.get(0).path("doc").path("v").asString()).isEqualTo("b");
        JsonNode keyed = post("/_all_docs", "{\"keys\":[\"c\",\"d\",\"x\"]}").path("rows");
        assertThat(keyed.get(1).path("value").path("deleted").asBoolean()).isTrue();
        assertThat(keyed.get(2).path("error").asString()).isEqualTo("not_found");
    }

    @Test
    void allDocs_countsWhatIsInFrontOfTheRange() {
        List.of("a", "b", "c", "d", "e").forEach(id -> put("/" + id, "{}"));

        assertThat(listed("/_all_docs")).isEqualTo("5 0 [a, b, c, d, e]");
        assertThat(listed("/_all_docs?startkey=%22b%22&endkey=%22d%22")).isEqualTo("5 1 [b, c, d]");
        assertThat(listed("/_all_docs?start_key=%22b%22&end_key=%22d%22&inclusive_end=false"))
                .isEqualTo("5 1 [b, c]");
        assertThat(listed("/_all_docs?skip=2&limit=2")).isEqualTo("5 2 [c, d]");
        assertThat(listed("/_all_docs?descending=true&startkey=%22d%22&limit=2"))
                .isEqualTo("5 1 [d, c]");
        assertThat(listed("/_all_docs?descending=true&startkey=%22d%22&endkey=%22b%22"))
                .isEqualTo("5 1 [d, c, b]");
        assertThat(listed("/_all_docs?key=%22c%22")).isEqualTo("5 2 [c]");
        assertThat(listed("/_all_docs?startkey=%22x%22")).isEqualTo("5 5 []");
        assertThat(listed("/_all_docs?limit=0")).isEqualTo("5 0 []");
        assertThat(get("/_all_docs?update_seq=true&limit=0").path("update_seq"))
                .isEqualTo(get("/_changes").path("last_seq"));
    }

    private String listed(String path) {
        JsonNode answer = get(path);
        return answer.path("total_rows") + " " + answer.path("offset") + " "
                + answer.path("rows")
                        .valueStream()
                        .map(row -> row.path("id").asString(row.path("error").asString("")))
                        .toList();
    }

    @Test
    void allDocs_ofKeys_areSkippedCutAndTurned() {
        List.of("a", "b", "c").forEach(id -> put("/" + id, "{}"));

        assertThat(post("/_all_docs?skip=1&limit=1", "{\"keys\":[\"c\",\"a\",\"b\"]}")
                        .path("rows")
                        .toString())
                .contains("\"id\":\"a\"")
                .doesNotContain("\"id\":\"b\"");
        JsonNode turned = post("/_all_docs", "{\"keys\":[\"c\",\"a\"],\"descending\":true}")
                .path("rows");
        assertThat(turned.get(0).path("id").asString()).isEqualTo("a");
        assertThat(couch.send("POST", db + "/_all_docs", "{\"keys\":\"a\"}").status())
                .isEqualTo(400);
        assertThat(couch.send("GET", db + "/_all_docs?key=%22a%22&keys=%5B%22b%22%5D", null)
                        .json()
                        .path("error")
                        .asString())
                .isEqualTo("query_parse_error");
    }

    @Test
    void allDocs_overManyPages_areComplete() {
        StringBuilder docs = new StringBuilder("{\"docs\":[");
        for (int i = 0; i < 450; i++) {
            docs.append(i == 0 ? "" : ",").append("{\"_id\":\"k%03d\"}".formatted(i));
        }
        post("/_bulk_docs", docs.append("]}").toString());

        for (String direction : List.of("false", "true")) {
            List<String> ids = get("/_all_docs?descending=" + direction)
                    .path("rows")
                    .valueStream()
                    .map(row -> row.path("id").asString())
                    .toList();
            assertThat(ids).hasSize(450).doesNotHaveDuplicates();
            assertThat(ids.getFirst()).isEqualTo(direction.equals("true") ? "k449" : "k000");
        }
    }

    @Test
    void designAndLocalDocuments_haveListsOfTheirOwn() {
        put("/_design/a", "{}");
        put("/_local/one", "{\"v\":1}");
        put("/_local/two", "{\"v\":2}");
        put("/x", "{}");

        assertThat(listed("/_design_docs")).isEqualTo("1 0 [_design/a]");
        assertThat(listed("/_local_docs")).isEqualTo("null null [_local/one, _local/two]");
        assertThat(listed("/_local_docs?descending=true&limit=1")).isEqualTo("null null [_local/two]");
        assertThat(get("/_local_docs?include_docs=true&key=%22_local/two%22")
                        .path("rows")
                        .get(0)
                        .path("doc")
                        .path("v")
                        .asInt())
                .isEqualTo(2);
        assertThat(post("/_local_docs", "{\"keys\":[\"_local/no\"]}")
                        .path("rows")
                        .get(0)
                        .path("error")
                        .asString())
                .isEqualTo("not_found");
    }

    @Test
    void seqInterval_thinsSequences() {
        List.of("a", "b", "c").forEach(id -> put("/" + id, "{}"));

        JsonNode rows = get("/_changes?seq_interval=2").path("results");

        assertThat(rows.get(0).path("seq").isNull()).isTrue();
        assertThat(rows.get(1).path("seq").isString()).isTrue();
        assertThat(couch.send("GET", db + "/_changes?seq_interval=0", null).status())
                .isEqualTo(400);
    }

    @Test
    void responses_haveOneRowPerLine() {
        List.of("a", "b").forEach(id -> put("/" + id, "{}"));

        String[] lines = couch.send("GET", db + "/_changes", null).text().split("\r?\n");

        assertThat(lines[0]).isEqualTo("{\"results\":[");
        assertThat(lines[1]).startsWith("{\"seq\":").endsWith("},");
        assertThat(lines[2]).startsWith("{\"seq\":").endsWith("}");
        assertThat(lines[3]).isEqualTo("],");
        assertThat(lines[4]).matches("\"last_seq\":\"[0-9a-f]{14}\",\"pending\":0}");
    }

    @Test
    void malformedSequences_areRefused() {
        for (String since : List.of("5", "x", "0000000000000g", "123456789012345")) {
            CouchClient.Answer answer = couch.send("GET", db + "/_changes?since=" + since, null);
            assertThat(answer.status()).as(since).isEqualTo(400);
            assertThat(answer.json().path("reason").asString())
                    .isEqualTo("Malformed sequence supplied in 'since' parameter.");
        }
    }
}
