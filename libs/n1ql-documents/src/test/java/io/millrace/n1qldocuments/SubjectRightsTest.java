package io.millrace.n1qldocuments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Role;
import io.millrace.access.RoleName;
import io.millrace.access.Subject;
import io.millrace.access.Target;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.Admission;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.ScriptFunctions;
import io.millrace.n1ql.SlowRequests;
import io.millrace.n1ql.keyspace.ServiceCatalog;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the users of every role may do with statements. */
class SubjectRightsTest {

    /** Combinations of role, target and statement; may only grow. */
    private static final int MATRIX_SIZE = 5_000;

    /** A statement, and what it needs on each keyspace. */
    private static final String[][] RUN = {
        {"SELECT RAW 1", ""},
        {"SELECT * FROM t", "SELECT t"},
        {"SELECT * FROM t USE KEYS 'a'", "SELECT t"},
        {"SELECT * FROM t WHERE n = 1", "SELECT t"},
        {"SELECT * FROM t JOIN u ON KEYS t.k", "SELECT t,SELECT u"},
        {"SELECT * FROM t JOIN u ON t.n = u.n", "SELECT t,SELECT u"},
        {"SELECT (SELECT RAW COUNT(*) FROM u) AS n FROM t", "SELECT t,SELECT u"},
        {"WITH w AS (SELECT * FROM u) SELECT * FROM w", "SELECT u"},
        {"SELECT * FROM t UNION SELECT * FROM u", "SELECT t,SELECT u"},
        {"INSERT INTO t VALUES (UUID(), 1)", "INSERT t"},
        {"INSERT INTO t VALUES (UUID(), 1) RETURNING *", "SELECT t,INSERT t"},
        {"INSERT INTO t (KEY UUID(), VALUE x) SELECT x FROM u x", "SELECT u,INSERT t"},
        {"UPSERT INTO t VALUES ('b', 1)", "INSERT t,UPDATE t"},
        {"UPDATE t SET m = 1", "UPDATE t"},
        {"UPDATE t SET m = 1 RETURNING m", "SELECT t,UPDATE t"},
        {"UPDATE t USE KEYS 'a' SET m = (SELECT RAW COUNT(*) FROM u)[0]", "SELECT u,UPDATE t"},
        {"DELETE FROM t WHERE n = 99", "DELETE t"},
        {"DELETE FROM t WHERE n = 99 RETURNING *", "SELECT t,DELETE t"},
        {"MERGE INTO t USING u ON KEY u.k WHEN MATCHED THEN UPDATE SET t.m = 2", "UPDATE t,SELECT u"},
        {"MERGE INTO t USING u ON KEY u.k WHEN MATCHED THEN DELETE WHERE t.n = 99", "DELETE t,SELECT u"},
        {"MERGE INTO t USING u ON KEY u.k WHEN NOT MATCHED THEN INSERT {\"n\": 3}", "INSERT t,SELECT u"},
        {"CREATE INDEX again IF NOT EXISTS ON t(n)", "INDEX t"},
        {"CREATE PRIMARY INDEX IF NOT EXISTS ON t", "INDEX t"},
        {"BUILD INDEX ON t(again)", "INDEX t"},
        {"DROP INDEX gone IF EXISTS ON t", "INDEX t"},
        {"CREATE SCOPE IF NOT EXISTS t.s", "SCOPES t"},
        {"DROP SCOPE IF EXISTS t.gone", "SCOPES t"},
        {"CREATE COLLECTION IF NOT EXISTS t._default.c", "SCOPES t"},
        {"DROP COLLECTION IF EXISTS t._default.gone", "SCOPES t"},
        {"CREATE BUCKET IF NOT EXISTS t", "BUCKET t"},
        {"DROP BUCKET IF EXISTS gone", "BUCKET gone"},
        {"FLUSH COLLECTION e", "DELETE e"},
        {"CREATE OR REPLACE FUNCTION g() { 1 }", "CLUSTER"},
        {"DROP FUNCTION IF EXISTS gone", "CLUSTER"},
        {"CREATE OR REPLACE FUNCTION t._default.g() { 1 }", "SCOPES t"},
        {"DROP FUNCTION IF EXISTS t._default.gone", "SCOPES t"},
        {"SELECT RAW NEXTVAL FOR t._default.ids", "SEQUENCE t"},
        {"SELECT NEXTVAL FOR t._default.ids FROM t", "SEQUENCE t,SELECT t"},
        {"INSERT INTO t VALUES (UUID(), NEXTVAL FOR t._default.ids)", "SEQUENCE t,INSERT t"},
        {"INSERT INTO t VALUES (UUID(), (SELECT RAW COUNT(*) FROM u)[0])", "SELECT u,INSERT t"},
        {"UPDATE t SET m = 1 WHERE n IN (SELECT RAW n FROM u)", "SELECT u,UPDATE t"},
        {"UPDATE t SET x.b = 1 FOR x IN (SELECT n FROM u) END", "SELECT u,UPDATE t"},
        {"UPDATE t UNSET m WHERE EXISTS (SELECT 1 FROM u)", "SELECT u,UPDATE t"},
        {"DELETE FROM t LIMIT (SELECT RAW COUNT(*) FROM u WHERE n = 99)[0]", "SELECT u,DELETE t"},
        {"SELECT * FROM t USE INDEX (again) WHERE n = 1", "SELECT t"},
        {"INFER t", "SELECT t"},
        {"EXECUTE reads", "SELECT t"},
        {"EXECUTE writes", "UPDATE t"},
        {"SELECT * FROM system:keyspaces", ""},
        {"SELECT * FROM system:indexes", ""},
        {"SELECT * FROM system:prepareds", "SYSTEM"},
        {"SELECT * FROM system:active_requests", "SYSTEM"},
        {"DELETE FROM system:prepareds WHERE name = 'none'", "SYSTEM"},
        {"SELECT * FROM system:vitals", "SYSTEM"},
        {"SELECT * FROM system:transactions", "SYSTEM"},
        {"SELECT * FROM system:tasks_cache", "SYSTEM"},
        {"SELECT * FROM system:user_info", "USERS"},
        {"SELECT * FROM system:applicable_roles", "USERS"},
        {"SELECT * FROM system:group_info", "USERS"},
        {"SELECT * FROM system:my_user_info", ""},
        {"SELECT * FROM system:bucket_info", ""},
    };

    /** Statements that only say what the one inside would do need what that one needs, because plans name indexes. */
    private static final List<String> AROUND = List.of("EXPLAIN ", "ADVISE ", "PREPARE FORCE p AS ");

    /** These are not explained. */
    private static final String[][] NOT_EXPLAINED = {
        {"SELECT ADVISOR('DELETE FROM t WHERE n IN (SELECT RAW n FROM u)')", "SELECT u,DELETE t"},
        {"CREATE SEQUENCE t._default.ids IF NOT EXISTS", "SEQUENCES t"},
        {"ALTER SEQUENCE t._default.ids CACHE 10", "SEQUENCES t"},
        {"DROP SEQUENCE t._default.gone IF EXISTS", "SEQUENCES t"},
        {"SELECT * FROM system:sequences", ""}
    };

    private static final List<String[]> STATEMENTS = statements();

    private static List<String[]> statements() {
        List<String[]> statements = new ArrayList<>(List.of(RUN));
        statements.addAll(List.of(NOT_EXPLAINED));
        for (String[] row : RUN) {
            for (String around : AROUND) {
                if (!List.of("SYSTEM", "USERS").contains(row[1])
                        && !(row[0].startsWith("EXECUTE") && !around.startsWith("EXPLAIN"))) {
                    statements.add(new String[] {around + row[0], row[1]});
                }
            }
        }
        return statements;
    }

    private final StoreKit.Clock clock = new StoreKit.Clock();
    private final DocumentStore store = new MemoryDocumentStore(clock);
    private final QueryEngine engine = new QueryEngine(
            new DocumentKeyspaces(store, bucket -> true, () -> null),
            clock,
            QueryEngine.MemoryWatch.NONE,
            SlowRequests.DEFAULT,
            Admission.NONE,
            ScriptFunctions.NONE,
            new Service());

    /** Knows one user, and of a bucket its name. */
    private static final class Service implements ServiceCatalog {

        @Override
        public List<StatementRights.User> users() {
            return List.of(SubjectRights.user(user(Role.parseAll("query_select[u:s],admin")), "Ann Lee"));
        }

        @Override
        public CompletableFuture<Optional<byte[]>> bucket(String name) {
            return CompletableFuture.completedFuture(Optional.of(StoreKit.bytes("{\"name\":\"" + name + "\"}")));
        }
    }

    @BeforeEach
    void createBuckets() {
        for (String bucket : List.of("t", "u", "e")) {
            StoreKit.await(store.catalog().createBucket(bucket, 1));
            StoreKit.await(store.write(
                    Write.upsert(new DocumentKey(Keyspace.of(bucket), "a"), StoreKit.bytes("{\"n\":1,\"k\":\"a\"}"))));
            run("CREATE PRIMARY INDEX ON " + bucket, Subject.open());
        }
        run("CREATE INDEX again ON t(n)", Subject.open());
        run("CREATE SEQUENCE t._default.ids", Subject.open());
        run("PREPARE reads AS SELECT * FROM t", Subject.open());
        run("PREPARE writes AS UPDATE t SET m = 1", Subject.open());
    }

    @Test
    void everyRole_mayDoWhatItGrantsAndNothingElse() {
        int checked = 0;
        for (RoleName name : RoleName.values()) {
            for (Target target : targets(name)) {
                Subject subject = Subject.user("ann", Subject.Domain.LOCAL, List.of(new Role(name, target)));
                for (String[] row : STATEMENTS) {
                    boolean allowed = Arrays.stream(row[1].split(",", -1))
                            .filter(need -> !need.isEmpty())
                            .allMatch(need -> isAllowed(subject, need));

                    assertThat(isAnswered(row[0], subject))
                            .as("%s of %s[%s]", row[0], name.label(), target)
                            .isEqualTo(allowed);
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThanOrEqualTo(MATRIX_SIZE);
    }

    /** Several roles together suffice for what needs several; one of them does not. */
    @Test
    void everyStatement_needsAllThatItDeclares() {
        for (String[] row : STATEMENTS) {
            List<Role> roles = new ArrayList<>();
            for (String need : row[1].split(",", -1)) {
                if (!need.isEmpty()) {
                    roles.add(role(need));
                }
            }
            assertThat(isAnswered(row[0], user(roles))).as(row[0]).isTrue();
            for (Role missing : roles) {
                List<Role> others = new ArrayList<>(roles);
                others.remove(missing);
                assertThat(isAnswered(row[0], user(others)))
                        .as("%s without %s", row[0], missing)
                        .isFalse();
            }
        }
    }

    private static Subject user(List<Role> roles) {
        return Subject.user("ann", Subject.Domain.LOCAL, roles);
    }

    private static Role role(String need) {
        String[] parts = need.split(" ", 2);
        return switch (parts[0]) {
            case "SYSTEM" -> Role.parse("query_system_catalog");
            case "USERS" -> Role.parse("security_admin");
            case "CLUSTER" -> Role.parse("cluster_admin");
            case "SCOPES" -> Role.parse("scope_admin[" + parts[1] + "]");
            case "SEQUENCE" -> Role.parse("query_use_sequences[" + parts[1] + "]");
            case "SEQUENCES" -> Role.parse("query_manage_sequences[" + parts[1] + "]");
            case "BUCKET" -> Role.parse("bucket_admin[" + parts[1] + "]");
            case "INDEX" -> Role.parse("query_manage_index[" + parts[1] + "]");
            default -> Role.parse("query_" + parts[0].toLowerCase(Locale.ROOT) + "[" + parts[1] + "]");
        };
    }

    private static boolean isAllowed(Subject subject, String need) {
        String[] parts = need.split(" ", 2);
        return switch (parts[0]) {
            case "SYSTEM" -> Access.allowed(subject, Permission.QUERY_SYSTEM, Resource.cluster());
            case "USERS" -> Access.allowed(subject, Permission.SECURITY_READ, Resource.cluster());
            case "CLUSTER" -> Access.allowed(subject, Permission.CLUSTER_MANAGE, Resource.cluster());
            case "SCOPES" ->
                Access.allowed(subject, Permission.COLLECTIONS_MANAGE, Resource.scope(parts[1], "_default"));
            case "SEQUENCE" ->
                Access.allowed(subject, Permission.QUERY_USE_SEQUENCES, Resource.scope(parts[1], "_default"));
            case "SEQUENCES" ->
                Access.allowed(subject, Permission.QUERY_MANAGE_SEQUENCES, Resource.scope(parts[1], "_default"));
            case "BUCKET" -> Access.allowed(subject, Permission.BUCKET_MANAGE, Resource.bucket(parts[1]));
            case "INDEX" -> Access.allowed(subject, Permission.QUERY_MANAGE_INDEX, Resource.defaultKeyspace(parts[1]));
            default ->
                Access.allowed(subject, Permission.valueOf("QUERY_" + parts[0]), Resource.defaultKeyspace(parts[1]));
        };
    }

    private static List<Target> targets(RoleName name) {
        List<Target> all = List.of(
                Target.EVERYTHING,
                Target.bucket("t"),
                Target.bucket("u"),
                Target.parse("t:_default:_default"),
                Target.parse("t:shop:carts"));
        return switch (name.level()) {
            case NONE -> all.subList(0, 1);
            case BUCKET, TOPIC, SCOPE -> all.subList(0, 3);
            case KEYSPACE -> all;
        };
    }

    @Test
    void lists_haveTheKeyspacesThatTheUserMayAccess() {
        Subject ann = user(List.of(Role.parse("query_select[u]")));

        assertThat(run("SELECT RAW `bucket` FROM system:keyspaces", ann)).containsExactly("\"u\"");
        assertThat(run("SELECT RAW keyspace_id FROM system:indexes", ann)).containsExactly("\"u\"");
        assertThat(run("SELECT RAW name FROM system:bucket_info", ann)).containsExactly("\"u\"");
    }

    @Test
    void users_areListedWithTheirRolesForThoseWhoMayReadThem() {
        Subject security = user(List.of(Role.parse("security_admin")));

        assertThat(run("SELECT u.* FROM system:user_info u", security))
                .containsExactly("{\"domain\":\"local\",\"id\":\"ann\",\"name\":\"Ann Lee\",\"groups\":[],"
                        + "\"external_groups\":[],\"roles\":[{\"role\":\"query_select\",\"bucket_name\":\"u\","
                        + "\"scope_name\":\"s\",\"collection_name\":\"*\",\"origins\":[{\"type\":\"user\"}]},"
                        + "{\"role\":\"admin\",\"origins\":[{\"type\":\"user\"}]}]}");
        assertThat(run("SELECT r.grantee, r.role, r.bucket_name FROM system:applicable_roles r", security))
                .containsExactly(
                        "{\"grantee\":\"ann\",\"role\":\"query_select\",\"bucket_name\":\"u\"}",
                        "{\"grantee\":\"ann\",\"role\":\"admin\"}");
        assertThat(run("SELECT u.* FROM system:my_user_info u", user(List.of())))
                .containsExactly("{\"domain\":\"local\",\"id\":\"ann\",\"roles\":[]}");
        assertThatThrownBy(() -> run("SELECT * FROM system:user_info", user(List.of(Role.parse("cluster_admin")))))
                .hasMessageContaining("Add role security_admin or ro_admin");
    }

    /** Its scope's default keyspace has the name that the right is checked on. */
    @Test
    void aRightToSequences_isNoneToDocuments() {
        Subject ann = user(List.of(Role.parse("query_use_sequences[t]"), Role.parse("query_manage_sequences[t]")));

        assertThat(isAnswered("SELECT NEXTVAL FOR t._default.ids AS id, (SELECT RAW n FROM t) AS n", ann))
                .isFalse();
        assertThat(run("SELECT RAW NEXTVAL FOR t._default.ids", ann)).hasSize(1);
    }

    @Test
    void aRefusal_saysWhichRoleIsMissing() {
        assertThatThrownBy(() -> run("SELECT * FROM absent", user(List.of())))
                .isInstanceOfSatisfying(QueryException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.NO_CREDENTIALS.code());
                    assertThat(ErrorCode.NO_CREDENTIALS.httpStatus()).isEqualTo(401);
                })
                .hasMessageContaining("Add role query_select on default:absent");
    }

    private boolean isAnswered(String statement, Subject subject) {
        try {
            run(statement, subject);
            return true;
        } catch (QueryException e) {
            assertThat(e.code()).as(statement + ": " + e.getMessage()).isEqualTo(ErrorCode.NO_CREDENTIALS.code());
            return false;
        }
    }

    private List<String> run(String statement, Subject subject) {
        List<String> rows = new ArrayList<>();
        QueryOptions options = QueryOptions.DEFAULT.withRights(new SubjectRights(subject));
        try (Rows cursor = engine.execute(statement, options)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row.toJson());
            }
        }
        return rows;
    }
}
