package io.millrace.eventing.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.definition.DeploymentConfig.TopicBinding.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class DefinitionReaderTest {

    @Test
    void seedsDeploymentConfig_isRead() {
        ObjectNode json = SampleDefinitions.json("credit_score");
        json.set("depcfg", SampleDefinitions.parse("""
                        { "buckets": [{ "alias": "credit_bucket", "bucket_name": "credit_score" }],
                          "metadata_bucket": "eventing", "source_bucket": "default" }"""));
        json.set("settings", SampleDefinitions.parse("{\"worker_count\": 3, \"function_timeout\": 1500}"));

        FunctionDefinition read = SampleDefinitions.read(json);

        assertThat(read.deployment().source()).isEqualTo(Keyspace.of("default"));
        assertThat(read.deployment().metadata()).isEqualTo(Keyspace.of("eventing"));
        assertThat(read.deployment().buckets())
                .containsExactly(
                        new DeploymentConfig.BucketBinding("credit_bucket", Keyspace.of("credit_score"), true));
        assertThat(read.settings().whole(Setting.WORKER_COUNT)).isEqualTo(3);
        assertThat(read.settings().whole(Setting.EXECUTION_TIMEOUT)).isEqualTo(2);
    }

    @Test
    void missingSettings_takeTheirDefaults() {
        ObjectNode json = SampleDefinitions.json("f");
        json.remove("settings");

        assertThat(SampleDefinitions.read(json).settings()).isEqualTo(Settings.defaults());
    }

    @Test
    void exportOfAnEarlyRelease_isReadWithAllItsFields_butItsPasswordIsNotKept() {
        ObjectNode json = SampleDefinitions.json("f");
        json.set("settings", SampleDefinitions.parse("""
                        {"checkpoint_interval": 20000, "rbacpass": "open-sesame", "rbacrole": "admin", "rbacuser": "eve",
                         "timer_worker_pool_size": 2, "using_doc_timer": true, "worker_count": 1}"""));
        json.put("id", 0).put("function_id", 77).put("using_doc_timer", false).put("version", "");

        DefinitionReader.Read read = DefinitionReader.read(json, null, new CodeLimit(1000, false));

        assertThat(read.warnings())
                .containsExactly(
                        "Kept without effect, because Millrace has no such setting: rbacrole, rbacuser,"
                                + " timer_worker_pool_size, using_doc_timer.",
                        "The setting rbacpass was not kept: definitions contain no passwords, and a function acts with the"
                                + " rights of its owner.");
        assertThat(read.definition().settings().whole(Setting.CHECKPOINT_INTERVAL))
                .isEqualTo(20);
        assertThat(read.definition().settings().values())
                .containsKeys("timer_worker_pool_size", "using_doc_timer")
                .doesNotContainKey("rbacpass");
    }

    @Test
    void urlAndConstantBindings_areReadWithoutAWarning() {
        ObjectNode json = SampleDefinitions.json("f");
        json.set("depcfg", SampleDefinitions.parse("""
                        {"source_bucket": "src", "metadata_bucket": "meta",
                         "curl": [{"hostname": "https://example.org/", "value": "web"}],
                         "constants": [{"value": "answer", "literal": "42"}]}"""));

        DefinitionReader.Read read = DefinitionReader.read(json, null, new CodeLimit(1000, false));

        assertThat(read.definition().deployment().curl()).hasSize(1);
        assertThat(read.definition().deployment().constants()).hasSize(1);
        assertThat(read.warnings()).isEmpty();
    }

    private static DeploymentConfig.SqlBinding sqlBinding(String members) {
        ObjectNode json = SampleDefinitions.json("f");
        json.set("depcfg", SampleDefinitions.parse("""
                        {"source_bucket": "src", "metadata_bucket": "meta", "sql": [{"value": "crm", %s}]}\
                        """.formatted(members)));
        DefinitionReader.Read read = DefinitionReader.read(json, null, new CodeLimit(1000, false));
        assertThat(read.warnings()).isEmpty();
        return read.definition().deployment().sql().getFirst();
    }

    @Test
    void databaseBinding_hasDefaults_andKeepsWhatIsSet() {
        assertThat(sqlBinding("\"url\": \"jdbc:sqlite:/data/crm.db\""))
                .isEqualTo(new DeploymentConfig.SqlBinding(
                        "crm", "jdbc:sqlite:/data/crm.db", "", Credential.NONE, false, 1000, 10, 2));
        assertThat(sqlBinding("""
                        "url": "jdbc:postgresql://db:5432/crm", "username": "app", "password_secret": "crm", "read_only": true,
                        "max_rows": 5, "timeout": 6, "pool_size": 7\
                        """))
                .isEqualTo(new DeploymentConfig.SqlBinding(
                        "crm", "jdbc:postgresql://db:5432/crm", "app", Credential.secret("crm"), true, 5, 6, 7));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"url\": \"http://db\" | url of alias 'crm' must be a JDBC URL",
                "\"username\": \"x\" | url of alias 'crm' must be a JDBC URL",
                "\"url\": \"jdbc:sqlite:x\", \"max_rows\": 0 | max_rows must be a whole number from 1 to 100000",
                "\"url\": \"jdbc:sqlite:x\", \"timeout\": 1.5 | timeout must be a whole number from 1 to 3600",
                "\"url\": \"jdbc:sqlite:x\", \"pool_size\": 65 | pool_size must be a whole number from 1 to 64",
                "\"url\": \"jdbc:sqlite:x\", \"password\": \"a\", \"password_secret\": \"b\" | has both password and password_secret"
            })
    void wrongDatabaseBinding_isRefused(String members, String why) {
        assertThatThrownBy(() -> sqlBinding(members))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining(why);
    }

    private static DeploymentConfig.TopicBinding topicBinding(String members) {
        ObjectNode json = SampleDefinitions.json("f");
        json.set("depcfg", SampleDefinitions.parse("""
                        {"source_bucket": "src", "metadata_bucket": "meta", "topics": [{"value": "orders", %s}],
                         "curl": [{"value": "shop", "hostname": "https://shop.example/events"}]}\
                        """.formatted(members)));
        DefinitionReader.Read read = DefinitionReader.read(json, null, new CodeLimit(1000, false));
        assertThat(read.warnings()).isEmpty();
        DeploymentConfig config = read.definition().deployment();
        assertThat(new DeploymentConfigReader(
                                DefinitionWriter.deployment(config, DefinitionWriter.Secrets.NAMED), new ArrayList<>())
                        .read())
                .isEqualTo(config);
        return config.topics().getFirst();
    }

    @Test
    void topicBinding_hasDefaults_andKeepsWhatIsSet() {
        assertThat(topicBinding("\"topic\": \"shop.orders\""))
                .isEqualTo(new DeploymentConfig.TopicBinding("orders", Kind.REDIS_STREAM, "shop.orders", 100_000));
        assertThat(topicBinding("\"topic\": \"a:b-c\", \"kind\": \"redis-stream\", \"max_length\": 5"))
                .isEqualTo(new DeploymentConfig.TopicBinding("orders", Kind.REDIS_STREAM, "a:b-c", 5));
        assertThat(topicBinding("\"topic\": \"bell\", \"kind\": \"redis-channel\"")
                        .kind())
                .isEqualTo(Kind.REDIS_CHANNEL);
        assertThat(topicBinding("\"topic\": \".paid\", \"kind\": \"kafka\", \"cluster\": \"shop-1\""))
                .isEqualTo(new DeploymentConfig.TopicBinding("orders", Kind.KAFKA, "shop-1", ".paid", 100_000));
        assertThat(topicBinding("\"topic\": \"com.example.paid\", \"kind\": \"cloudevents\", \"url\": \"shop\""))
                .isEqualTo(cloudEvents(Credential.NONE));
        assertThat(
                        topicBinding(
                                "\"topic\": \"com.example.paid\", \"kind\": \"cloudevents\", \"url\": \"shop\", \"signing_secret\": \"key\""))
                .isEqualTo(cloudEvents(Credential.secret("key")));
    }

    private static DeploymentConfig.TopicBinding cloudEvents(Credential signing) {
        return new DeploymentConfig.TopicBinding(
                "orders", Kind.CLOUDEVENTS, "", "com.example.paid", 100_000, "shop", signing);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"kind\": \"redis-stream\" | topic of alias 'orders' must have 1 to 200 letters",
                "\"topic\": \"a b\" | topic of alias 'orders' must have 1 to 200 letters",
                "\"topic\": \"a\", \"kind\": \"queue\" | kind of alias 'orders' must be one of redis-stream, redis-channel, kafka, cloudevents",
                "\"topic\": \"a\", \"max_length\": 0 | max_length must be a whole number from 1 to 100000000",
                "\"topic\": \"a\", \"kind\": \"redis-channel\", \"max_length\": 5 | max_length of alias 'orders' is for streams",
                "\"topic\": \"a\", \"cluster\": \"shop\" | cluster of alias 'orders' is for topics of the kind kafka",
                "\"topic\": \"a\", \"kind\": \"kafka\" | cluster of alias 'orders' must be the name of a Kafka cluster",
                "\"topic\": \"a\", \"kind\": \"kafka\", \"cluster\": \"../x\" | cluster of alias 'orders' must be the name of a Kafka cluster",
                "\"topic\": \"a:b\", \"kind\": \"kafka\", \"cluster\": \"shop\" | topic of alias 'orders' must have 1 to 249 letters",
                "\"topic\": \"a\", \"kind\": \"kafka\", \"cluster\": \"shop\", \"max_length\": 5 | max_length of alias 'orders' is for streams",
                "\"topic\": \"a\", \"kind\": \"cloudevents\" | url of alias 'orders' must be the value of one of the bindings in depcfg.curl.",
                "\"topic\": \"a\", \"kind\": \"cloudevents\", \"url\": \"x\" | in depcfg.curl, and none of them is 'x'.",
                "\"topic\": \"a b\", \"kind\": \"cloudevents\", \"url\": \"shop\" | topic of alias 'orders' must have 1 to 200 letters",
                "\"topic\": \"a\", \"kind\": \"cloudevents\", \"url\": \"shop\", \"max_length\": 5 | max_length of alias 'orders' is for streams",
                "\"topic\": \"a\", \"kind\": \"cloudevents\", \"url\": \"shop\", \"cluster\": \"c\" | cluster of alias 'orders' is for topics of the kind kafka",
                "\"topic\": \"a\", \"url\": \"shop\" | url of alias 'orders' is for topics of the kind cloudevents",
                "\"topic\": \"a\", \"signing_secret\": \"key\" | signing_secret of alias 'orders' is for topics of the kind cloudevents"
            })
    void wrongTopicBinding_isRefused(String members, String why) {
        assertThatThrownBy(() -> topicBinding(members))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining(why);
    }

    @Test
    void unknownFields_areIgnoredWithAWarning() {
        ObjectNode json = SampleDefinitions.json("f");
        json.put("app_code", "oops");
        ((ObjectNode) json.get("depcfg")).put("source", "oops");

        assertThat(DefinitionReader.read(json, null, new CodeLimit(1000, false)).warnings())
                .anyMatch(warning -> warning.contains("'app_code'"))
                .anyMatch(warning -> warning.contains("'depcfg.source'"));
    }

    @Test
    void unknownFields_areRefusedWhenTheSchemaIsEnforced() {
        ObjectNode json = SampleDefinitions.json("f");
        json.put("app_code", "oops").put("enforce_schema", true);

        assertThat(failure(json).code()).isEqualTo(ErrorCode.ERR_INVALID_CONFIG);
    }

    @Test
    void name_comesFromThePathWhenTheBodyHasNone() {
        ObjectNode json = SampleDefinitions.json("f");
        json.remove("appname");

        assertThat(DefinitionReader.read(json, FunctionName.of("g"), new CodeLimit(1000, false))
                        .definition()
                        .name())
                .isEqualTo(FunctionName.of("g"));
    }

    @Test
    void name_thatDiffersFromThePath_isRefused() {
        FunctionsException refused = catchThrowableOfType(
                FunctionsException.class,
                () -> DefinitionReader.read(
                        SampleDefinitions.json("f"), FunctionName.of("g"), new CodeLimit(1000, false)));

        assertThat(refused.code()).isEqualTo(ErrorCode.ERR_APPNAME_MISMATCH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "_f", "-f", "f.g", "f g", "f/g", "ä", "../f"})
    void name_thatBreaksTheRule_isRefused(String name) {
        assertThat(failure(SampleDefinitions.json(name)).code()).isEqualTo(ErrorCode.ERR_INVALID_CONFIG);
    }

    @Test
    void name_upToAHundredCharacters_isAccepted() {
        assertThat(SampleDefinitions.definition("a".repeat(100)).name().name()).hasSize(100);
        assertThat(failure(SampleDefinitions.json("a".repeat(101))).code()).isEqualTo(ErrorCode.ERR_INVALID_CONFIG);
    }

    @Test
    void code_pastItsLimitInBytes_isRefused() {
        ObjectNode json = SampleDefinitions.json("f");
        json.put("appcode", "ä".repeat(501));

        FunctionsException refused = catchThrowableOfType(
                FunctionsException.class, () -> DefinitionReader.read(json, null, new CodeLimit(1000, false)));

        assertThat(refused.code()).isEqualTo(ErrorCode.ERR_APPCODE_SIZE);
        assertThat(refused).hasMessageContaining("1002").hasMessageContaining("1000");
    }

    /** A pointer into the definition, a value to put there (or nothing, to remove it), and the error that follows. */
    static Stream<Arguments> mistakes() {
        return Stream.of(
                        "/appcode | | ERR_INVALID_CONFIG | appcode",
                        "/appcode | 5 | ERR_INVALID_CONFIG | appcode",
                        "/depcfg | | ERR_INVALID_CONFIG | depcfg",
                        "/depcfg/source_bucket | | ERR_INVALID_CONFIG | source_bucket",
                        "/depcfg/source_bucket | \"a b\" | ERR_INVALID_CONFIG | source_bucket",
                        "/depcfg/source_scope | \"*\" | ERR_INVALID_CONFIG | source_collection",
                        "/depcfg/source_collection | \"a b\" | ERR_INVALID_CONFIG | source_collection",
                        "/depcfg/metadata_bucket | | ERR_INVALID_CONFIG | metadata_bucket",
                        "/depcfg/metadata_collection | \"*\" | ERR_INVALID_CONFIG | metadata_collection",
                        "/depcfg/metadata_bucket | \"src\" | ERR_SRC_MB_SAME | src._default._default",
                        "/depcfg/buckets | {} | ERR_INVALID_CONFIG | buckets",
                        "/depcfg/buckets | [5] | ERR_INVALID_CONFIG | buckets",
                        "/depcfg/buckets/0/bucket_name | | ERR_INVALID_CONFIG | bucket_name",
                        "/depcfg/buckets/0/access | \"w\" | ERR_INVALID_CONFIG | 'dst'",
                        "/depcfg/buckets/0/alias | | ERR_INVALID_CONFIG | Alias has no name",
                        "/depcfg/buckets/0/alias | \"1st\" | ERR_INVALID_CONFIG | 1st",
                        "/depcfg/buckets/0/alias | \"while\" | ERR_INVALID_CONFIG | while",
                        "/depcfg/buckets/0/alias | \"Select\" | ERR_INVALID_CONFIG | Select",
                        "/depcfg/buckets/0/alias | \"log\" | ERR_INVALID_CONFIG | log",
                        "/depcfg/constants | [{\"value\":\"dst\",\"literal\":\"1\"}] | ERR_INVALID_CONFIG | dst",
                        "/depcfg/constants | [{\"value\":\"c\",\"literal\":\" \"}] | ERR_INVALID_CONFIG | 'c'",
                        "/depcfg/curl | [{\"value\":\"u\",\"hostname\":\"ftp://x\"}] | ERR_INVALID_CONFIG | 'u'",
                        "/depcfg/curl | [{\"value\":\"u\",\"hostname\":\"http://x\",\"auth_type\":\"magic\"}] | ERR_INVALID_CONFIG | 'u'",
                        "/function_scope | {\"bucket\":\"b\"} | ERR_INVALID_CONFIG | function_scope",
                        "/function_scope | {\"bucket\":\"..\",\"scope\":\"s\"} | ERR_INVALID_CONFIG | function_scope",
                        "/handleruuid | -1 | ERR_INVALID_CONFIG | handleruuid",
                        "/enforce_schema | 1 | ERR_INVALID_CONFIG | enforce_schema",
                        "/version | 2 | ERR_INVALID_REQUEST | version",
                        "/settings | [] | ERR_UNMARSHAL_PLD | Settings",
                        "/settings/worker_cuont | 1 | ERR_INVALID_CONFIG | worker_cuont",
                        "/settings/worker_count | 0 | ERR_INVALID_CONFIG | worker_count",
                        "/settings/worker_count | 65 | ERR_INVALID_CONFIG | worker_count",
                        "/settings/worker_count | \"1\" | ERR_INVALID_CONFIG | worker_count",
                        "/settings/worker_count | 1.5 | ERR_INVALID_CONFIG | worker_count",
                        "/settings/log_level | \"LOUD\" | ERR_INVALID_CONFIG | log_level",
                        "/settings/dcp_stream_boundary | \"never\" | ERR_INVALID_CONFIG | dcp_stream_boundary",
                        "/settings/handler_headers | \"x\" | ERR_INVALID_CONFIG | handler_headers",
                        "/settings/app_log_dir | \"../x\" | ERR_INVALID_CONFIG | app_log_dir",
                        "/settings/app_log_dir | \"/tmp/../etc\" | ERR_INVALID_CONFIG | app_log_dir",
                        "/settings/timer_context_size | 19 | ERR_INVALID_CONFIG | timer_context_size",
                        "/settings/sock_batch_size | {} | ERR_INVALID_CONFIG | sock_batch_size",
                        "/settings/deployment_status | true | ERR_PROCESSING_OR_DEPLOYMENT_STATUS_NOT_FOUND | processing_status",
                        "/settings | {\"deployment_status\":false,\"processing_status\":true} | ERR_INVALID_CONFIG | processing_status")
                .map(row -> Arguments.of((Object[]) row.split("\\s*\\|\\s*", -1)));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistake_isRefusedNamingIt(String pointer, String value, String code, String named) {
        ObjectNode json = SampleDefinitions.json("f");
        List<String> path = Arrays.asList(pointer.substring(1).split("/"));
        JsonNode parent = json.at(pointer.substring(0, pointer.lastIndexOf('/')));
        if (value.isEmpty()) {
            ((ObjectNode) parent).remove(path.getLast());
        } else {
            ((ObjectNode) parent).set(path.getLast(), SampleDefinitions.parse(value));
        }

        FunctionsException refused = failure(json);

        assertThat(refused.code().name()).isEqualTo(code);
        assertThat(refused).hasMessageContaining(named);
    }

    @Test
    void categoryOfEvents_isReadAndWritten() {
        FunctionDefinition read = SampleDefinitions.read(onEvents("{}", "{\"source_position\": 42}"));

        assertThat(read.deployment().events()).isEqualTo(new DeploymentConfig.EventSource("Cart", 42));
        JsonNode depcfg = DefinitionWriter.deployment(read.deployment(), DefinitionWriter.Secrets.NAMED);
        assertThat(depcfg.has("source_bucket")).isFalse();
        assertThat(DefinitionReader.deployment(depcfg)).isEqualTo(read.deployment());
    }

    /** Settings and members of depcfg that do not go with a category, and what the error names. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | {\"source_bucket\": \"src\"} | both source_category and source_bucket",
                "{} | {\"source_scope\": \"s\"} | both source_category and source_scope",
                "{} | {\"source_category\": \"Cart-7\"} | without hyphens",
                "{} | {\"source_category\": 7} | source_category must be a string",
                "{} | {\"source_position\": -1} | source_position must be a whole number",
                "{} | {\"source_position\": \"9\"} | source_position must be a whole number",
                "{} | {\"source_category\": \"\", \"source_bucket\": \"src\", \"source_position\": 1} | needs source_category",
                "{\"filter\": \"a = 1\"} | {} | filter is about changes of documents",
                "{\"skip_unchanged\": true} | {} | skip_unchanged is about changes of documents",
                "{\"before_image\": true} | {} | before_image is about changes of documents",
                "{\"language_compatibility\": \"5.0.0\"} | {} | language_compatibility",
                "{\"dcp_stream_boundary\": \"from_now\"} | {\"source_position\": 1} | two places to start at"
            })
    void categoryOfEvents_thatDoesNotFit_isRefused(String settings, String depcfg, String named) {
        assertInvalid(onEvents(settings, depcfg), named);
    }

    @Test
    void topicOfMessages_isReadAndWritten() {
        FunctionDefinition read = SampleDefinitions.read(onMessages("{}", "{}"));

        assertThat(read.deployment().events()).isEqualTo(new DeploymentConfig.EventSource("shop.paid", ""));
        assertThat(read.deployment().sourceName()).isEqualTo("topic shop.paid");
        JsonNode depcfg = DefinitionWriter.deployment(read.deployment(), DefinitionWriter.Secrets.NAMED);
        assertThat(depcfg.path("source_topic").asString()).isEqualTo("shop.paid");
        assertThat(depcfg.has("source_bucket")).isFalse();
        assertThat(DefinitionReader.deployment(depcfg)).isEqualTo(read.deployment());
    }

    @Test
    void topicOfKafka_isReadAndWritten() {
        FunctionDefinition read =
                SampleDefinitions.read(onMessages("{}", "{\"source_cluster\": \"shop\", \"source_topic\": \".paid\"}"));

        assertThat(read.deployment().events()).isEqualTo(new DeploymentConfig.EventSource(".paid", "shop"));
        assertThat(read.deployment().sourceName()).isEqualTo("topic kafka:shop/.paid");
        assertThat(read.deployment().kafkaClusters()).containsExactly("shop");
        JsonNode depcfg = DefinitionWriter.deployment(read.deployment(), DefinitionWriter.Secrets.NAMED);
        assertThat(DefinitionReader.deployment(depcfg)).isEqualTo(read.deployment());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"source_cluster\": \"shop\"}"})
    void timeAmongMessages_isReadAndWritten(String more) {
        ObjectNode json = onMessages("{}", more);
        ((ObjectNode) json.path("depcfg")).put("source_time", "2026-01-31T12:00:00Z");

        FunctionDefinition read = SampleDefinitions.read(json);

        assertThat(Objects.requireNonNull(read.deployment().events()).after())
                .isEqualTo(Instant.parse("2026-01-31T12:00:00Z").toEpochMilli());
        JsonNode depcfg = DefinitionWriter.deployment(read.deployment(), DefinitionWriter.Secrets.NAMED);
        assertThat(depcfg.path("source_time").asString()).isEqualTo("2026-01-31T12:00:00Z");
        assertThat(DefinitionReader.deployment(depcfg)).isEqualTo(read.deployment());
    }

    @Test
    void channel_isReadAndWritten() {
        FunctionDefinition read = SampleDefinitions.read(onMessages("{}", "{\"source_kind\": \"redis-channel\"}"));

        assertThat(read.deployment().events()).isEqualTo(DeploymentConfig.EventSource.ofChannel("shop.paid"));
        assertThat(read.deployment().sourceName()).isEqualTo("topic channel:shop.paid");
        JsonNode depcfg = DefinitionWriter.deployment(read.deployment(), DefinitionWriter.Secrets.NAMED);
        assertThat(depcfg.path("source_kind").asString()).isEqualTo("redis-channel");
        assertThat(DefinitionReader.deployment(depcfg)).isEqualTo(read.deployment());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"source_kind\": \"redis-stream\"} | ''",
                "{\"source_kind\": \"kafka\", \"source_cluster\": \"shop\"} | shop"
            })
    void kindThatIsAlsoTheUsualOne_isTheSameSource(String more, String cluster) {
        assertThat(SampleDefinitions.read(onMessages("{}", more)).deployment().events())
                .isEqualTo(new DeploymentConfig.EventSource("shop.paid", cluster));
    }

    /** Settings and members of depcfg that do not go with a topic, and what the error names. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | {\"source_bucket\": \"src\"} | both source_topic and source_bucket",
                "{} | {\"source_collection\": \"c\"} | both source_topic and source_collection",
                "{} | {\"source_category\": \"Cart\"} | both source_topic and source_category",
                "{} | {\"source_position\": 1} | give a topic source_time instead",
                "{} | {\"source_time\": \"yesterday\"} | such as 2026-01-31T12:00:00Z, not 'yesterday'",
                "{} | {\"source_time\": \"1960-01-31T12:00:00Z\"} | a time since 1970",
                "{} | {\"source_time\": \"2026-01-31T12:00:00Z\", \"source_kind\": \"redis-channel\"} | a channel keeps none",
                "{} | {\"source_time\": \"2026-01-31T12:00:00Z\", \"source_topic\": \"\", \"source_bucket\": \"src\"} | needs source_topic",
                "{\"dcp_stream_boundary\": \"from_now\"} | {\"source_time\": \"2026-01-31T12:00:00Z\"} | source_time and dcp_stream_boundary",
                "{} | {\"source_topic\": \"a b\"} | source_topic must have 1 to 200 letters",
                "{} | {\"source_topic\": 7} | source_topic must be a string",
                "{} | {\"source_cluster\": \"a b\"} | source_cluster must be the name of a Kafka cluster",
                "{} | {\"source_kind\": \"cloudevents\"} | must be redis-stream, redis-channel or kafka",
                "{} | {\"source_kind\": \"kafka\"} | source_cluster must be the name of a Kafka cluster",
                "{} | {\"source_kind\": \"redis-channel\", \"source_cluster\": \"shop\"} | remove one of them",
                "{} | {\"source_kind\": \"redis-channel\", \"source_topic\": \"\", \"source_bucket\": \"src\"} | needs source_topic",
                "{} | {\"source_cluster\": \"\"} | source_cluster must be the name of a Kafka cluster",
                "{} | {\"source_cluster\": \"shop\", \"source_topic\": \"a:b\"} | 1 to 249 letters",
                "{} | {\"source_cluster\": \"shop\", \"source_topic\": \"\", \"source_bucket\": \"src\"} | needs source_topic",
                "{\"filter\": \"a = 1\"} | {} | a function with source_topic handles messages; remove it and decide in OnMessage",
                "{\"language_compatibility\": \"5.0.0\"} | {} | source_topic needs a language_compatibility"
            })
    void topicOfMessages_thatDoesNotFit_isRefused(String settings, String depcfg, String named) {
        assertInvalid(onMessages(settings, depcfg), named);
    }

    private static ObjectNode onMessages(String settings, String more) {
        return withSource("source_topic", "shop.paid", settings, more);
    }

    private static ObjectNode onEvents(String settings, String more) {
        return withSource("source_category", "Cart", settings, more);
    }

    private static ObjectNode withSource(String kind, String source, String settings, String more) {
        ObjectNode json = SampleDefinitions.json("f");
        json.set("settings", SampleDefinitions.parse(settings));
        json.putObject("depcfg")
                .put(kind, source)
                .put("metadata_bucket", "meta")
                .setAll((ObjectNode) SampleDefinitions.parse(more));
        return json;
    }

    private static void assertInvalid(JsonNode json, String named) {
        FunctionsException refused = failure(json);

        assertThat(refused.code()).isEqualTo(ErrorCode.ERR_INVALID_CONFIG);
        assertThat(refused).hasMessageContaining(named);
    }

    private static FunctionsException failure(JsonNode json) {
        return catchThrowableOfType(
                FunctionsException.class, () -> DefinitionReader.read(json, null, new CodeLimit(131_072, false)));
    }
}
