package io.millrace.couch.rights;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Role;
import io.millrace.access.RoleName;
import io.millrace.access.Subject;
import io.millrace.access.Target;
import io.millrace.couch.CouchException;
import io.millrace.couch.CouchRequest;
import io.millrace.couch.CouchResponse;
import io.millrace.couch.CouchServer;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the users of every role may do over the CouchDB API, and what {@code _security} grants and refuses. */
class CouchRightsTest {

    private static final String DB = "orders";

    /** Combinations of role, target and request; may only grow. */
    private static final int MATRIX_SIZE = 1_700;

    /** Method, path, and what the roles must grant; nothing for every user, {@code -} for everyone. */
    private static final String[][] REQUESTS = {
        {"GET", "", "-"},
        {"GET", "_up", "-"},
        {"GET", "_session", "-"},
        {"GET", "_uuids", ""},
        {"GET", "_all_dbs", ""},
        {"GET", "_dbs_info", ""},
        {"POST", "_dbs_info", ""},
        {"PUT", DB, "BUCKET_MANAGE"},
        {"DELETE", DB, "BUCKET_MANAGE"},
        {"GET", DB, "BUCKET_ACCESS"},
        {"HEAD", DB, "BUCKET_ACCESS"},
        {"POST", DB, "DATA_WRITE"},
        {"GET", DB + "/_security", "BUCKET_ACCESS"},
        {"PUT", DB + "/_security", "SECURITY_MANAGE"},
        {"GET", DB + "/_revs_limit", "BUCKET_ACCESS"},
        {"PUT", DB + "/_revs_limit", "BUCKET_MANAGE"},
        {"POST", DB + "/_compact", "BUCKET_MANAGE"},
        {"POST", DB + "/_view_cleanup", "BUCKET_MANAGE"},
        {"POST", DB + "/_ensure_full_commit", "DATA_WRITE"},
        {"GET", DB + "/_changes", "DATA_DCP"},
        {"POST", DB + "/_changes", "DATA_DCP"},
        {"GET", DB + "/_all_docs", "DATA_READ"},
        {"POST", DB + "/_all_docs", "DATA_READ"},
        {"GET", DB + "/_design_docs", "DATA_READ"},
        {"GET", DB + "/_local_docs", "DATA_READ"},
        {"POST", DB + "/_bulk_get", "DATA_READ"},
        {"POST", DB + "/_revs_diff", "DATA_READ"},
        {"POST", DB + "/_missing_revs", "DATA_READ"},
        {"POST", DB + "/_bulk_docs", "DATA_WRITE"},
        {"GET", DB + "/a", "DATA_READ"},
        {"HEAD", DB + "/a", "DATA_READ"},
        {"PUT", DB + "/a", "DATA_WRITE"},
        {"DELETE", DB + "/a", "DATA_WRITE"},
        {"COPY", DB + "/a", "DATA_READ,DATA_WRITE"},
        {"GET", DB + "/a/file", "DATA_READ"},
        {"PUT", DB + "/a/file", "DATA_WRITE"},
        {"DELETE", DB + "/a/file", "DATA_WRITE"},
        {"GET", DB + "/_local/x", "DATA_READ"},
        {"PUT", DB + "/_local/x", "DATA_WRITE"},
        {"DELETE", DB + "/_local/x", "DATA_WRITE"},
        {"GET", DB + "/_design/d", "DATA_READ"},
        {"GET", DB + "/_unknown", "DATA_READ"},
        {"POST", DB + "/_unknown", "DATA_WRITE"},
    };

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final CouchServer server = new CouchServer(store, (kind, source, request) -> {
        throw CouchException.badRequest("This test has no functions.");
    });
    private final CouchRights rights = new CouchRights(store);

    @BeforeEach
    void createDatabases() {
        store.catalog().createBucket(DB, 1).join();
        store.catalog().createBucket("other", 1).join();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void everyEndpoint_isInTheTable() {
        Set<Endpoint> seen = EnumSet.noneOf(Endpoint.class);
        for (String[] row : REQUESTS) {
            seen.add(Endpoint.of(request(row[0], row[1], "{}", Subject.anonymous())));
        }

        assertThat(seen).containsExactlyInAnyOrder(Endpoint.values());
        for (Endpoint endpoint : Endpoint.values()) {
            assertThat(endpoint.needs().isEmpty()).isEqualTo(endpoint.whom() != Endpoint.For.MEMBERS);
        }
    }

    @Test
    void everyRole_mayDoWhatItGrantsAndNothingElse() {
        int checked = 0;
        for (RoleName name : RoleName.values()) {
            for (Target target : targets(name)) {
                Subject subject = user("ann", new Role(name, target));
                for (String[] row : REQUESTS) {
                    boolean allowed = needs(row[2]).stream()
                            .allMatch(permission -> Access.allowed(subject, permission, resource(permission)));

                    assertThat(refusal(request(row[0], row[1], "{}", subject)))
                            .as("%s /%s of %s[%s]", row[0], row[1], name.label(), target)
                            .isEqualTo(allowed ? 0 : 403);
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThanOrEqualTo(MATRIX_SIZE);
    }

    @Test
    void withoutALogin_nothingButTheWelcomeIsAnswered() {
        for (String[] row : REQUESTS) {
            assertThat(refusal(request(row[0], row[1], "{}", Subject.anonymous())))
                    .as("%s /%s", row[0], row[1])
                    .isEqualTo(row[2].equals("-") ? 0 : 401);
            assertThat(refusal(request(row[0], row[1], "{}", Subject.open()))).isZero();
        }
    }

    private static List<Target> targets(RoleName name) {
        List<Target> all = List.of(
                Target.EVERYTHING,
                Target.bucket(DB),
                Target.bucket("other"),
                Target.parse(DB + ":_default:_default"),
                Target.parse(DB + ":shop:carts"));
        return switch (name.level()) {
            case NONE -> all.subList(0, 1);
            case BUCKET, TOPIC, SCOPE -> all.subList(0, 3);
            case KEYSPACE -> all;
        };
    }

    private static List<Permission> needs(String names) {
        return names.isEmpty() || names.equals("-")
                ? List.of()
                : Arrays.stream(names.split(",", -1)).map(Permission::valueOf).toList();
    }

    private static Resource resource(Permission permission) {
        return switch (permission) {
            case BUCKET_ACCESS, BUCKET_MANAGE -> Resource.bucket(DB);
            case SECURITY_MANAGE -> Resource.cluster();
            default -> Resource.defaultKeyspace(DB);
        };
    }

    /** Returns 0 when the request may be made. */
    private int refusal(CouchRequest request) {
        try {
            rights.check(request);
            return 0;
        } catch (CouchException e) {
            assertThat(e.error()).isEqualTo(e.status() == 401 ? "unauthorized" : "forbidden");
            return e.status();
        }
    }

    @Test
    void lists_haveTheDatabasesThatTheUserMayAccess() {
        Subject ann = user("ann", Role.parse("data_reader[orders]"));

        assertThat(send("GET", "_all_dbs", "", ann).toString()).isEqualTo("[\"orders\"]");
        JsonNode infos = send("POST", "_dbs_info", "{\"keys\":[\"orders\",\"other\"]}", ann);
        assertThat(infos.path(0).path("info").path("db_name").asString()).isEqualTo("orders");
        assertThat(infos.path(1).path("error").asString()).isEqualTo("forbidden");
    }

    @Test
    void session_saysWhoAsks() {
        JsonNode session = send("GET", "_session", "", user("ann", Role.ADMIN, Role.parse("data_reader[orders]")));

        assertThat(session.path("userCtx").toString())
                .isEqualTo("{\"name\":\"ann\",\"roles\":[\"_admin\",\"data_reader[orders]\"]}");
        assertThat(send("GET", "_session", "", Subject.anonymous())
                        .path("userCtx")
                        .toString())
                .isEqualTo("{\"name\":null,\"roles\":[]}");
    }

    @Test
    void membersOfADatabase_readAndWriteAndOthersStayOut() {
        security("{\"admins\":{\"names\":[\"eve\"]},\"members\":{\"names\":[\"ann\"],\"roles\":[\"streams_reader\"]}}");
        Subject ann = user("ann");
        Subject byRole = user("bob", Role.parse("streams_reader"));
        Subject outsider = user("carl", Role.parse("data_reader[orders]"));

        for (Subject member : List.of(ann, byRole)) {
            assertThat(status("PUT", "orders/" + member.name(), "{}", member)).isEqualTo(201);
            assertThat(status("GET", "orders/" + member.name(), "", member)).isEqualTo(200);
            assertThat(status("PUT", "orders/_design/d", "{}", member)).isEqualTo(403);
            assertThat(status("PUT", "orders/_security", "{}", member)).isEqualTo(403);
            assertThat(status("DELETE", "orders", "", member)).isEqualTo(403);
            assertThat(status("GET", "other/a", "", member)).isEqualTo(403);
        }
        assertThat(status("GET", "orders/ann", "", outsider)).isEqualTo(403);
        assertThat(status("GET", "orders/ann", "", user("root", Role.ADMIN))).isEqualTo(200);
        assertThat(status("GET", "orders/_all_docs", "", Subject.anonymous())).isEqualTo(401);
    }

    @Test
    void administratorsOfADatabase_writeDesignDocumentsAndSecurity() {
        security("{\"admins\":{\"names\":[\"eve\"]}}");
        Subject eve = user("eve");
        Subject writer = user("ann", Role.parse("data_writer[orders]"));

        assertThat(status("PUT", "orders/_design/d", "{}", eve)).isEqualTo(201);
        assertThat(status("PUT", "orders/_security", "{\"admins\":{\"names\":[\"eve\"]}}", eve))
                .isEqualTo(200);
        assertThat(status("DELETE", "orders", "", eve)).isEqualTo(403);
        assertThat(status("PUT", "orders/a", "{}", writer)).isEqualTo(201);
        assertThat(status("PUT", "orders/_design/e", "{}", writer)).isEqualTo(403);
        JsonNode bulk =
                send("POST", "orders/_bulk_docs", "{\"docs\":[{\"_id\":\"_design/f\"},{\"_id\":\"b\"}]}", writer);
        assertThat(bulk.path(0).path("error").asString()).isEqualTo("forbidden");
        assertThat(bulk.path(1).path("ok").asBoolean()).isTrue();
    }

    @Test
    void administratorOfTheBucket_cannotGiveHimselfTheDocuments() {
        String himself = "{\"members\":{\"names\":[\"bob\"]}}";
        for (String role : List.of("bucket_admin[orders]", "cluster_admin")) {
            Subject bob = user("bob", Role.parse(role));

            assertThat(status("PUT", "orders/_security", himself, bob)).isEqualTo(403);
            assertThat(status("GET", "orders/_all_docs", "", bob)).isEqualTo(403);
            assertThat(refusal(request("POST", "orders/_compact", "{}", bob))).isZero();
        }

        security("{\"admins\":{\"roles\":[\"bucket_admin[orders]\"]}}");
        assertThat(status("PUT", "orders/_security", himself, user("bob", Role.parse("bucket_admin[orders]"))))
                .isEqualTo(200);
    }

    @Test
    void security_isReturnedAsItWasStored() {
        String security =
                "{\"admins\":{\"names\":[\"eve\"],\"roles\":[]},\"members\":{\"names\":[],\"roles\":[\"r\"]}}";
        security(security);

        assertThat(send("GET", "orders/_security", "", Subject.open()).toString())
                .isEqualTo(security);
        assertThat(status("PUT", "orders/_security", "{\"admins\":{\"names\":\"eve\"}}", Subject.open()))
                .isEqualTo(400);
    }

    @Test
    void security_outlivesAFlush_andNotTheBucket() {
        security("{\"members\":{\"names\":[\"ann\"]}}");
        Subject bob = user("bob", Role.parse("data_reader[orders]"));

        store.catalog().flushBucket(DB).join();
        assertThat(status("GET", "orders/_all_docs", "", bob)).isEqualTo(403);
        security("{\"members\":{\"names\":[\"ann\",\"eve\"]}}");
        store.catalog().flushBucket(DB).join();
        assertThat(status("PUT", "orders/a", "{}", user("eve"))).isEqualTo(201);
        assertThat(status("GET", "orders/a", "", bob)).isEqualTo(403);

        store.catalog().dropBucket(DB).join();
        store.catalog().createBucket(DB, 1).join();
        assertThat(status("GET", "orders/_all_docs", "", bob)).isEqualTo(200);
    }

    @Test
    void security_ofAnEarlierVersion_outlivesAFlush() {
        security("{\"members\":{\"names\":[\"ann\"]}}");
        store.catalog().putSettings(DB, Map.of()).join();
        Subject bob = user("bob", Role.parse("data_reader[orders]"));

        assertThat(status("GET", "orders/_all_docs", "", bob)).isEqualTo(403);
        store.catalog().flushBucket(DB).join();

        assertThat(status("GET", "orders/_all_docs", "", bob)).isEqualTo(403);
    }

    private void security(String json) {
        assertThat(status("PUT", "orders/_security", json, Subject.open())).isEqualTo(200);
    }

    private static Subject user(String name, Role... roles) {
        return Subject.user(name, Subject.Domain.LOCAL, List.of(roles));
    }

    private int status(String method, String path, String body, Subject subject) {
        return server.handle(request(method, path, body, subject)).status();
    }

    private JsonNode send(String method, String path, String body, Subject subject) {
        CouchResponse.Whole whole = (CouchResponse.Whole) server.handle(request(method, path, body, subject));
        return JsonMapper.shared().readTree(whole.body());
    }

    private static CouchRequest request(String method, String path, String body, Subject subject) {
        List<String> segments = path.isEmpty() ? List.of() : List.of(path.split("/", -1));
        return new CouchRequest(
                method,
                segments,
                Map.of(),
                Map.of("content-type", "application/json"),
                body.getBytes(StandardCharsets.UTF_8),
                subject);
    }
}
