package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.couch.CouchRequest;
import io.millrace.couch.CouchResponse;
import io.millrace.couch.CouchServer;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdocservice.sandbox.SharedEngine;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code validate_doc_update} of design documents decides about every write over the CouchDB API. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ValidationTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Users write their own documents, editors all of them, administrators delete. */
    private static final String OWN = """
        function (newDoc, oldDoc, userCtx, secObj) {
          if (userCtx.roles.indexOf('_admin') >= 0) { return; }
          if (newDoc._deleted) { throw({forbidden: 'Administrators delete.'}); }
          if (!newDoc.author) { throw({forbidden: 'author is missing in ' + newDoc._id}); }
          if (oldDoc && oldDoc.author !== newDoc.author) { throw({forbidden: 'The author of a document stays.'}); }
          var editors = secObj.admins ? secObj.admins.names : [];
          if (newDoc.author !== userCtx.name && editors.indexOf(userCtx.name) < 0) {
            throw({unauthorized: userCtx.name + ' is not ' + newDoc.author});
          }
        }""";

    private final SharedEngine engine = new SharedEngine();
    private final SandboxedFunctions functions = new SandboxedFunctions(engine);
    private final CouchServer couch = new CouchServer(new MemoryDocumentStore(InstantSource.system()), functions);
    private String db = "";
    private int databases;

    @BeforeAll
    void warm() {
        database();
        design("own", OWN);
        assertThat(put("root", "warm", "{}")).isEqualTo("201");
    }

    @AfterAll
    void stop() {
        couch.close();
        functions.close();
        engine.close();
    }

    @BeforeEach
    void database() {
        db = "db" + ++databases;
        assertThat(send("PUT", db, "", "root").status()).isEqualTo(201);
    }

    private CouchResponse.Whole send(String method, String path, String body, String user) {
        List<Role> roles = user.equals("root") ? List.of(Role.ADMIN) : Role.parseAll("data_writer[*],data_reader[*]");
        return (CouchResponse.Whole) couch.handle(new CouchRequest(
                method,
                Arrays.asList(path.split("/")),
                Map.of(),
                Map.of("content-type", "application/json"),
                body.getBytes(StandardCharsets.UTF_8),
                Subject.user(user, Subject.Domain.LOCAL, roles)));
    }

    private static JsonNode json(CouchResponse.Whole answer) {
        return JSON.readTree(answer.body());
    }

    /** Returns status and reason. */
    private String put(String user, String id, String body) {
        CouchResponse.Whole answer = send("PUT", db + "/" + id, body, user);
        JsonNode json = json(answer);
        return json.has("error")
                ? answer.status() + " " + json.path("error").asString() + ": "
                        + json.path("reason").asString()
                : Integer.toString(answer.status());
    }

    private void design(String name, String source) {
        ObjectNode design = JSON.createObjectNode().put("validate_doc_update", source);
        assertThat(put("root", "_design/" + name, design.toString())).isEqualTo("201");
    }

    @Test
    void write_thatAFunctionRefuses_isNotStored() {
        design("own", OWN);

        assertThat(put("ann", "a", "{\"n\":1}")).isEqualTo("403 forbidden: author is missing in a");
        assertThat(put("ann", "a", "{\"author\":\"bob\"}")).isEqualTo("401 unauthorized: ann is not bob");
        assertThat(send("GET", db + "/a", "", "ann").status()).isEqualTo(404);
        assertThat(put("ann", "a", "{\"author\":\"ann\"}")).isEqualTo("201");
    }

    @Test
    void function_seesTheDocumentBefore_andTheSecurityOfTheDatabase() {
        design("own", OWN);
        assertThat(send("PUT", db + "/_security", "{\"admins\":{\"names\":[\"eve\"],\"roles\":[]}}", "root")
                        .status())
                .isEqualTo(200);

        assertThat(put("eve", "a", "{\"author\":\"ann\"}")).isEqualTo("201");
        String rev = json(send("GET", db + "/a", "", "ann")).path("_rev").asString();
        assertThat(put("ann", "a", "{\"author\":\"eve\",\"_rev\":\"" + rev + "\"}"))
                .isEqualTo("403 forbidden: The author of a document stays.");
        String gone = "{\"_deleted\":true,\"_rev\":\"" + rev + "\"}";
        assertThat(put("ann", "a", gone)).isEqualTo("403 forbidden: Administrators delete.");
        assertThat(put("root", "a", gone)).isEqualTo("201");
    }

    @Test
    void bulkWrites_andReplicatedRevisions_areAskedOneByOne() {
        design("own", OWN);

        JsonNode rows = json(send(
                "POST",
                db + "/_bulk_docs",
                "{\"docs\":[{\"_id\":\"a\",\"author\":\"ann\"},{\"_id\":\"b\",\"author\":\"bob\"}]}",
                "ann"));
        assertThat(rows.path(0).path("ok").asBoolean(false)).isTrue();
        assertThat(rows.path(1).path("error").asString()).isEqualTo("unauthorized");
        JsonNode replicated = json(send(
                "POST",
                db + "/_bulk_docs",
                "{\"new_edits\":false,\"docs\":[{\"_id\":\"c\",\"_rev\":\"1-abc\",\"author\":\"bob\"}]}",
                "ann"));

        assertThat(replicated.toString()).contains("ann is not bob");
        assertThat(send("GET", db + "/c", "", "ann").status()).isEqualTo(404);
    }

    @Test
    void everyFunction_mustAgree_untilItsDesignDocumentIsDeleted() {
        design("own", OWN);
        design("small", "function (newDoc) { if (newDoc.n > 9) { throw({forbidden: 'n is large'}); } }");

        assertThat(put("ann", "a", "{\"author\":\"ann\",\"n\":10}")).isEqualTo("403 forbidden: n is large");
        String rev = json(send("GET", db + "/_design/small", "", "root"))
                .path("_rev")
                .asString();
        assertThat(put("root", "_design/small", "{\"_deleted\":true,\"_rev\":\"" + rev + "\"}"))
                .isEqualTo("201");
        assertThat(put("ann", "a", "{\"author\":\"ann\",\"n\":10}")).isEqualTo("201");
    }

    @Test
    void function_thatFails_refuses() {
        design("broken", "function (newDoc) { return newDoc.no.such; }");

        assertThat(put("root", "a", "{}")).startsWith("500 unknown_error: validate_doc_update failed: TypeError");
        assertThat(put("root", "_design/other", "{}"))
                .as("design documents, which repair it, are not validated")
                .isEqualTo("201");
    }

    @Test
    void function_thatDoesNotCompile_refuses() {
        design("broken", "function (newDoc) {");

        assertThat(put("root", "a", "{}")).startsWith("400 bad_request: compilation_error");
    }

    @Test
    void functionInAnotherLanguage_refuses() {
        String design = "{\"language\":\"erlang\",\"validate_doc_update\":\"fun() -> ok end.\"}";
        assertThat(put("root", "_design/d", design)).isEqualTo("201");

        assertThat(put("root", "a", "{}")).startsWith("400 unknown_query_language: _design/d");
    }
}
