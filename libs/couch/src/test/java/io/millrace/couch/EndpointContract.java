package io.millrace.couch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the smaller endpoints and parameters do: each is carried out as CouchDB does, or refused in words. */
public abstract class EndpointContract {

    private CouchClient couch;
    private String db;

    /** Opens a client; called once per test. */
    protected abstract CouchClient open();

    @BeforeEach
    void createDatabase() {
        couch = open();
        db = couch.newDatabase();
    }

    @AfterEach
    void close() {
        couch.close();
    }

    private JsonNode put(String path, String body) {
        CouchClient.Answer answer = couch.send("PUT", db + path, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.json();
    }

    private String error(String method, String path, String body, int status, String... headers) {
        CouchClient.Answer answer = couch.send(method, path, body, headers);
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        return answer.json().path("error").asString();
    }

    @Test
    void deleteOfADatabase_withARevision_deletesNothing() {
        put("/a", "{}");

        assertThat(error("DELETE", db + "?rev=1-abc", null, 400)).isEqualTo("bad_request");

        assertThat(couch.send("GET", db + "/a", null).status()).isEqualTo(200);
    }

    @Test
    void bucketsOfTheSystem_areClosed() {
        for (String bucket : List.of("/_metakv", "/_audit", "/_couch", "/_streams", "/_query")) {
            for (String path : List.of("", "/users", "/_all_docs", "/_changes", "/users/a.txt", "/_local/x")) {
                for (String method : List.of("GET", "PUT", "DELETE")) {
                    if (!(method + path).equals("PUT")) { // creating it is an illegal name
                        assertThat(error(method, bucket + path, method.equals("PUT") ? "{}" : null, 403))
                                .as("%s %s", method, bucket + path)
                                .isEqualTo("forbidden");
                    }
                }
            }
            for (String path : List.of("", "/_bulk_docs", "/_bulk_get", "/_all_docs", "/_revs_diff", "/_changes")) {
                assertThat(error("POST", bucket + path, "{\"docs\":[]}", 403, "Content-Type", "application/json"))
                        .as("POST %s", bucket + path)
                        .isEqualTo("forbidden");
            }
        }
    }

    @Test
    void whatADatabaseCannotDo_isRefused() {
        assertThat(error("PUT", db + "/_revs_limit", "5", 501)).isEqualTo("not_implemented");
        assertThat(couch.send("GET", db + "/_revs_limit", null).text().strip()).isEqualTo("1000");
        assertThat(error("PUT", db + "-p?partitioned=true", null, 501)).isEqualTo("not_implemented");
        assertThat(couch.send("GET", db + "-p", null).status()).isEqualTo(404);
        assertThat(couch.send("POST", db + "/_compact", "{}").status()).isEqualTo(202);
    }

    @Test
    void views_areRefusedWithWhatToUse() {
        put("/_design/d", "{\"views\":{\"v\":{\"map\":\"function (doc) {}\"}}}");

        JsonNode answer = couch.send("GET", db + "/_design/d/_view/v", null).json();

        assertThat(answer.path("reason").asString()).contains("_view").contains("query");
    }

    @Test
    void batchOk_isWritten_andAnsweredAsAccepted() {
        CouchClient.Answer answer = couch.send("PUT", db + "/a?batch=ok", "{\"v\":1}");

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().has("rev")).isFalse();
        assertThat(couch.send("GET", db + "/a", null).json().path("v").asInt()).isEqualTo(1);
        assertThat(couch.send("POST", db + "?batch=ok", "{}").status()).isEqualTo(202);
    }

    @Test
    void bulkDocs_refusesOneDocumentAlone() {
        String longId = "x".repeat(251);
        JsonNode answer = couch.send(
                        "POST",
                        db + "/_bulk_docs",
                        "{\"docs\":[{\"_id\":\"a\"},{\"_id\":\"%s\"},{\"_id\":\"b\"}]}".formatted(longId))
                .json();

        assertThat(answer.get(0).path("ok").asBoolean()).isTrue();
        assertThat(answer.get(1).path("error").asString()).isEqualTo("illegal_docid");
        assertThat(answer.get(2).path("ok").asBoolean()).isTrue();

        JsonNode replicated = couch.send(
                        "POST",
                        db + "/_bulk_docs",
                        "{\"new_edits\":false,\"docs\":[{\"_id\":\"%s\",\"_rev\":\"1-a\"},{\"_id\":\"c\",\"_rev\":\"1-a\"}]}"
                                .formatted(longId))
                .json();
        assertThat(replicated).hasSize(1);
        assertThat(couch.send("GET", db + "/c", null).status()).isEqualTo(200);
    }

    @Test
    void bulkDocs_thatAreNoDocuments_writeNothing() {
        assertThat(error("POST", db + "/_bulk_docs", "{\"docs\":[{\"_id\":\"a\"},{\"_id\":\"_x\"}]}", 400))
                .isEqualTo("illegal_docid");
        assertThat(error("POST", db + "/_bulk_docs", "{\"docs\":[{\"_id\":\"a\"},{\"_y\":1}]}", 400))
                .isEqualTo("doc_validation");
        assertThat(error("POST", db + "/_bulk_docs", "{\"docs\":[{\"_id\":\"a\"}],\"new_edits\":1}", 400))
                .isEqualTo("bad_request");
        assertThat(error("POST", db + "/_bulk_docs", "{\"docs\":[{\"_id\":\"a\"}],\"new_edits\":false}", 201))
                .isEmpty();
        CouchClient.Answer atomic =
                couch.send("POST", db + "/_bulk_docs", "{\"docs\":[{\"_id\":\"a\"}],\"all_or_nothing\":true}");
        assertThat(atomic.status()).isEqualTo(417);
        assertThat(atomic.json().get(0).path("error").asString()).isEqualTo("not_implemented");

        assertThat(couch.send("GET", db + "/a", null).status()).isEqualTo(404);
    }

    @Test
    void bulkDocs_writesLocalDocuments() {
        JsonNode answer = couch.send("POST", db + "/_bulk_docs", "{\"docs\":[{\"_id\":\"_local/a\",\"v\":1}]}")
                .json();

        assertThat(answer.get(0).path("rev").asString()).isEqualTo("0-1");
        assertThat(couch.send("GET", db + "/_local/a", null).json().path("v").asInt())
                .isEqualTo(1);
    }

    @Test
    void copy_keepsTheBodyAndTheAttachments() {
        String rev = put("/a", "{\"v\":1,\"_attachments\":{\"t\":{\"data\":\"aGVsbG8=\"}}}")
                .path("rev")
                .asString();
        assertThat(error("COPY", db + "/a", null, 400)).isEqualTo("bad_request");

        CouchClient.Answer copied = couch.send("COPY", db + "/a", null, "Destination", "b%20c");

        assertThat(copied.status()).as(copied.text()).isEqualTo(201);
        assertThat(copied.header("Location")).endsWith(db + "/b%20c");
        assertThat(couch.send("GET", db + "/b%20c/t", null).text()).isEqualTo("hello");
        assertThat(error("COPY", db + "/a", null, 409, "Destination", "b%20c")).isEqualTo("conflict");
        String copy = copied.json().path("rev").asString();
        assertThat(couch.send("COPY", db + "/a?rev=" + rev, null, "Destination", "b%20c?rev=" + copy)
                        .status())
                .isEqualTo(201);
    }

    @Test
    void partOfAnAttachment_isSent() {
        String rev = put("/a", "{}").path("rev").asString();
        couch.send("PUT", db + "/a/t?rev=" + rev, "0123456789", "content-type", "text/plain");

        CouchClient.Answer middle = couch.send("GET", db + "/a/t", null, "range", "bytes=2-4");
        assertThat(middle.status()).isEqualTo(206);
        assertThat(middle.text()).isEqualTo("234");
        assertThat(middle.header("Content-Range")).isEqualTo("bytes 2-4/10");
        assertThat(couch.send("GET", db + "/a/t", null, "range", "bytes=-3").text())
                .isEqualTo("789");
        assertThat(couch.send("GET", db + "/a/t", null, "range", "bytes=8-99").text())
                .isEqualTo("89");
        assertThat(couch.send("GET", db + "/a/t", null, "range", "bytes=1-2,4-5")
                        .status())
                .isEqualTo(200);
        assertThat(couch.send("GET", db + "/a/t", null, "range", "bytes=10-").status())
                .isEqualTo(416);
        assertThat(couch.send("GET", db + "/a/t", null, "range", "bytes=0-99999999999999999999")
                        .status())
                .isEqualTo(416);
    }

    @Test
    void namesAndStubs_ofAttachments_areChecked() {
        String rev = put("/a", "{\"_attachments\":{\"t\":{\"data\":\"aGVsbG8=\"}}}")
                .path("rev")
                .asString();

        assertThat(error("PUT", db + "/b", "{\"_attachments\":{\"_t\":{\"data\":\"aGVsbG8=\"}}}", 400))
                .isEqualTo("bad_request");
        assertThat(error("PUT", db + "/a?rev=" + rev, "{\"_attachments\":{\"t\":{\"stub\":true,\"revpos\":10}}}", 412))
                .isEqualTo("missing_stub");
        assertThat(couch.send("PUT", db + "/a?rev=" + rev, "{\"_attachments\":{\"t\":{\"stub\":true,\"revpos\":1}}}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void reservedIds_areRefusedWhenWritten() {
        assertThat(error("PUT", db + "/_x", "{}", 400)).isEqualTo("illegal_docid");
        assertThat(error("GET", db + "/_x", null, 404)).isEqualTo("not_found");
    }

    @Test
    void uuids_areAsManyAsAskedFor() {
        assertThat(couch.send("GET", "_uuids", null).json().path("uuids")).hasSize(1);
        JsonNode many = couch.send("GET", "_uuids?count=20", null).json().path("uuids");
        assertThat(many.valueStream().map(JsonNode::asString).distinct()).hasSize(20);
        assertThat(error("GET", "_uuids?count=1001", null, 400)).isEqualTo("bad_request");
        assertThat(couch.send("POST", "_uuids", "{}").status()).isEqualTo(405);
    }

    @Test
    void databases_areListedInPartsAndDescribed() {
        assertThat(couch.send("GET", "_all_dbs?startkey=%22" + db + "%22&limit=1", null)
                        .json()
                        .toString())
                .isEqualTo("[\"" + db + "\"]");
        JsonNode infos = couch.send("POST", "_dbs_info", "{\"keys\":[\"" + db + "\",\"no\"]}")
                .json();
        assertThat(infos.get(0).path("info").path("db_name").asString()).isEqualTo(db);
        assertThat(infos.get(1).path("error").asString()).isEqualTo("not_found");
        assertThat(error("POST", "_dbs_info", "{}", 400)).isEqualTo("bad_request");
    }

    @Test
    void server_hasANameOfItsOwn() {
        String name = couch.send("GET", "", null).json().path("uuid").asString();

        assertThat(name).matches("[0-9a-f]{32}");
        assertThat(couch.send("GET", "", null).json().path("uuid").asString()).isEqualTo(name);
    }

    @Test
    void method_canBeNamedInAHeader() {
        CouchClient.Answer put = couch.send("POST", db + "/a", "{\"v\":1}", "x-http-method-override", "PUT");
        assertThat(put.status()).isEqualTo(201);
        assertThat(put.header("Location")).endsWith(db + "/a");
        String rev = put.json().path("rev").asString();
        assertThat(couch.send("POST", db + "/a?rev=" + rev, null, "x-http-method-override", "DELETE")
                        .status())
                .isEqualTo(200);
        assertThat(couch.send("GET", db + "/a", null, "x-http-method-override", "PUT")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void openRevs_namesALeafOnce() {
        put("/a", "{}");
        for (String rev : List.of("2-b", "3-c")) {
            couch.send(
                    "POST",
                    db + "/_bulk_docs",
                    "{\"new_edits\":false,\"docs\":[{\"_id\":\"d\",\"_rev\":\"%s\",\"_revisions\":{\"start\":%s,\"ids\":[%s]}}]}"
                            .formatted(
                                    rev, rev.substring(0, 1), rev.equals("2-b") ? "\"b\",\"a\"" : "\"c\",\"b\",\"a\""));
        }

        JsonNode opened = couch.send("GET", db + "/d?latest=true&open_revs=%5B%221-a%22,%222-b%22%5D", null)
                .json();

        assertThat(opened).hasSize(1);
        assertThat(opened.get(0).path("ok").path("_rev").asString()).isEqualTo("3-c");
    }

    @Test
    void idsThatNoDocumentCanHave_areMissing_andTheOthersAnswered() {
        String longId = "x".repeat(300);
        put("/a", "{}");

        JsonNode missing = post("/_revs_diff", "{\"%s\":[\"1-a\"],\"b\":[\"1-b\"]}".formatted(longId));
        assertThat(missing.path(longId).path("missing").toString()).isEqualTo("[\"1-a\"]");
        assertThat(missing.path("b").path("missing").toString()).isEqualTo("[\"1-b\"]");
        JsonNode got = post("/_bulk_get", "{\"docs\":[{\"id\":\"%s\"},{\"id\":\"a\"}]}".formatted(longId))
                .path("results");
        assertThat(got.at("/0/docs/0/error/error").asString()).isEqualTo("not_found");
        assertThat(got.at("/1/docs/0/ok/_id").asString()).isEqualTo("a");
        JsonNode rows = post("/_all_docs", "{\"keys\":[\"%s\",\"a\"]}".formatted(longId))
                .path("rows");
        assertThat(rows.at("/0/error").asString()).isEqualTo("not_found");
        assertThat(rows.at("/1/id").asString()).isEqualTo("a");
        assertThat(post("/_changes?filter=_doc_ids", "{\"doc_ids\":[\"%s\",\"a\"]}".formatted(longId))
                        .path("results"))
                .hasSize(1);
        assertThat(error("GET", db + "/" + longId, null, 404)).isEqualTo("not_found");
        assertThat(error("PUT", db + "/" + longId, "{}", 400)).isEqualTo("illegal_docid");
    }

    private JsonNode post(String path, String body) {
        CouchClient.Answer answer = couch.send("POST", db + path, body);
        assertThat(answer.status()).as(answer.text()).isBetween(200, 201);
        return answer.json();
    }

    @Test
    void bulkGet_refusesOneRequestAlone() {
        put("/a", "{}");

        JsonNode results = post(
                        "/_bulk_get", "{\"docs\":[{\"id\":\"a\",\"rev\":\"1\"},{\"rev\":\"1-a\"},{\"id\":\"a\"}]}")
                .path("results");

        assertThat(results).hasSize(3);
        assertThat(results.at("/0/docs/0/error").toString())
                .isEqualTo("{\"id\":\"a\",\"rev\":\"1\",\"error\":\"bad_request\",\"reason\":\"Invalid rev format\"}");
        assertThat(results.at("/1/docs/0/error/error").asString()).isEqualTo("bad_request");
        assertThat(results.at("/2/docs/0/ok/_id").asString()).isEqualTo("a");
    }

    @Test
    void answersThatMayChangeWithoutTheRevision_haveNoEtag() {
        String rev = put("/a", "{}").path("rev").asString();
        String winner = "2-f";
        String graft =
                "{\"new_edits\":false,\"docs\":[{\"_id\":\"a\",\"_revisions\":{\"start\":2,\"ids\":[\"%s\",\"%s\"]}}]}";
        post("/_bulk_docs", graft.formatted("f", rev.substring(2)));
        assertThat(couch.send("GET", db + "/a", null).header("ETag")).isEqualTo('"' + winner + '"');

        assertThat(couch.send("GET", db + "/a?conflicts=true", null).header("ETag"))
                .isEmpty();
        post("/_bulk_docs", graft.formatted("e", rev.substring(2)));

        CouchClient.Answer again =
                couch.send("GET", db + "/a?conflicts=true", null, "If-None-Match", '"' + winner + '"');
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().path("_conflicts").toString()).isEqualTo("[\"2-e\"]");
    }

    @Test
    void whatTheClientHas_isNotSentAgain() {
        put("/a", "{\"_attachments\":{\"t\":{\"data\":\"aGVsbG8=\"}}}");
        for (String path : List.of("/a", "/a/t")) {
            String etag = couch.send("GET", db + path, null).header("ETag");
            for (String known : List.of(etag, "W/" + etag, "\"other\", " + etag, "*")) {
                CouchClient.Answer answer = couch.send("GET", db + path, null, "If-None-Match", known);
                assertThat(answer.status()).as(path + " " + known).isEqualTo(304);
                assertThat(answer.text()).isEmpty();
                assertThat(answer.header("ETag")).isEqualTo(etag);
            }
            assertThat(couch.send("GET", db + path, null, "If-None-Match", "\"other\"")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void partOfAnAttachmentThatHasChanged_isNotSent() {
        put("/a", "{\"_attachments\":{\"t\":{\"data\":\"aGVsbG8=\"}}}");
        String etag = couch.send("GET", db + "/a/t", null).header("ETag");

        assertThat(couch.send("GET", db + "/a/t", null, "Range", "bytes=1-2", "If-Range", etag)
                        .text())
                .isEqualTo("el");
        CouchClient.Answer whole = couch.send("GET", db + "/a/t", null, "Range", "bytes=1-2", "If-Range", "\"other\"");
        assertThat(whole.status()).isEqualTo(200);
        assertThat(whole.text()).isEqualTo("hello");
    }

    @Test
    void pathBelowALocalDocument_isNotTheDocument() {
        put("/_local/x", "{\"n\":1}");

        assertThat(error("PUT", db + "/_local/x/y", "{}", 400)).isEqualTo("bad_request");
        assertThat(error("DELETE", db + "/_local/x/y", null, 400)).isEqualTo("bad_request");

        assertThat(couch.send("GET", db + "/_local/x", null).json().path("n").asInt())
                .isEqualTo(1);
    }

    @Test
    void localDocumentWrittenAsDeleted_isGone() {
        put("/_local/x", "{}");
        put("/_local/y", "{}");

        assertThat(put("/_local/x", "{\"_deleted\":true}").path("rev").asString())
                .isEqualTo("0-0");
        JsonNode done = post("/_bulk_docs", "{\"docs\":[{\"_id\":\"_local/y\",\"_deleted\":true}]}");

        assertThat(done.at("/0/rev").asString()).isEqualTo("0-0");
        assertThat(error("GET", db + "/_local/x", null, 404)).isEqualTo("not_found");
        assertThat(error("GET", db + "/_local/y", null, 404)).isEqualTo("not_found");
    }

    @Test
    void pathBelowAnEndpoint_isNotTheEndpoint() {
        put("/a", "{}");

        for (String path : List.of("/_all_docs/queries", "/_bulk_docs/x", "/_changes/x")) {
            assertThat(error("POST", db + path, "{\"queries\":[{}],\"docs\":[{}]}", 404))
                    .as(path)
                    .isEqualTo("not_found");
        }
        assertThat(error("PUT", db + "/_security/x", "{}", 400)).isEqualTo("illegal_docid");
        assertThat(couch.send("GET", db + "/_all_docs", null).json().path("rows"))
                .hasSize(1);
    }
}
