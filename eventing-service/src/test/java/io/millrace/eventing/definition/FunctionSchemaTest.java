package io.millrace.eventing.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.functionfiles.Templates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The schema that directories of functions get, compared with the service that it was made from. */
class FunctionSchemaTest {

    private static final String UPDATE = "millrace.docs.update";
    private static final Path FILE =
            Path.of("../libs/function-files/src/main/resources/io/millrace/functionfiles", FunctionDirectory.SCHEMA);
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(FunctionSchema.of());
    private static final CodeLimit LIMIT = new CodeLimit(1 << 20, false);

    @Test
    void file_isWhatTheServiceTakes() throws IOException {
        String made = JSON.writeValueAsString(FunctionSchema.of()) + "\n";
        if (Boolean.getBoolean(UPDATE)) {
            Files.writeString(FILE, made);
        }

        assertThat(FILE)
                .as(FunctionDirectory.SCHEMA + " is stale; run with -D" + UPDATE + "=true")
                .hasContent(made);
    }

    @Test
    void templatesAndExamples_areValid(@TempDir Path home) throws IOException {
        List<JsonNode> definitions = new ArrayList<>();
        for (var template : Templates.all()) {
            FunctionDirectory directory = FunctionDirectory.create(
                    home.resolve(template.name()), template.code(), template.definition(), template.tests());
            definitions.add(FunctionDirectory.read(directory.path().resolve(FunctionDirectory.DEFINITION)));
        }
        try (Stream<Path> examples = Files.walk(Path.of("../examples"))) {
            examples.filter(file -> file.toString().endsWith(".json")).forEach(file -> {
                JsonNode read = FunctionDirectory.read(file);
                (read.isArray() ? read.valueStream() : Stream.of(read)).forEach(definitions::add);
            });
        }

        assertThat(definitions)
                .hasSizeGreaterThan(Templates.all().size())
                .allSatisfy(definition -> assertThat(SCHEMA.validate(definition))
                        .as(definition.path("appname").asString())
                        .isEmpty());
    }

    /** Values at and beyond the limits of each setting. */
    @ParameterizedTest
    @EnumSource
    void settings_areJudgedAsByTheService(Setting setting) {
        for (JsonNode value : values(setting)) {
            ObjectNode definition = definition();
            definition.putObject("settings").set(setting.jsonName(), value);

            assertThat(SCHEMA.validate(definition).isEmpty())
                    .as("%s = %s", setting.jsonName(), value)
                    .isEqualTo(isAccepted(definition));
        }
    }

    private static List<JsonNode> values(Setting setting) {
        Stream<?> special = switch (setting.rule()) {
            case SettingRule.Whole whole ->
                Stream.of(whole.min(), whole.max(), whole.min() - 1, 5000 * whole.max(), whole.min() + 0.5);
            case SettingRule.OneOf oneOf -> Stream.concat(oneOf.choices().stream(), Stream.of("other"));
            case SettingRule.Text text -> texts(text.maxChars());
            case SettingRule.Condition condition -> Stream.of("", "a = 1", "x".repeat(condition.maxChars() + 1));
            case SettingRule.Folder folder ->
                Stream.concat(texts(folder.maxChars()), Stream.of("/a/b", "..", "a/../b", "."));
            case SettingRule.Lines lines ->
                Stream.of(List.of("a"), List.of(1), many("a", lines.maxLines() + 1), List.of("a".repeat(5000)));
            case SettingRule.CronLines lines ->
                Stream.of(List.of("f 0 3 * * *"), List.of(1), many("f 0 3 * * *", lines.maxLines() + 1));
            default -> Stream.of(true, false);
        };
        return Stream.concat(special, Stream.of(7, "text", true, List.of(), JSON.createObjectNode(), 1.5))
                .map(JSON::<JsonNode>valueToTree)
                .toList();
    }

    private static Stream<String> texts(int most) {
        return Stream.of("", "a", "a".repeat(most), "a".repeat(most + 1));
    }

    private static List<String> many(String line, int count) {
        return Stream.generate(() -> line).limit(count).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"appname\": \"with space\"}",
                "{\"appname\": \"\"}",
                "{\"settings\": {\"workers\": 3}}",
                "{\"settings\": {\"timer_queue_size\": 3}}",
                "{\"settings\": {\"ondeploy_timeout\": 3}}",
                "{\"settings\": {\"env\": {\"RATE\": 1.5, \"ON\": true, \"WHO\": \"me\"}}}",
                "{\"settings\": {\"env\": {\"RATE\": []}}}",
                "{\"settings\": {\"env\": {\"class\": 1}}}",
                "{\"settings\": {\"env\": {\"a-b\": 1}}}",
                "{\"depcfg\": {\"source_bucket\": \"a\"}}",
                "{\"depcfg\": {\"source_category\": \"Cart\", \"metadata_bucket\": \"m\"}}",
                "{\"depcfg\": {\"source_category\": \"Cart\", \"source_position\": 42, \"metadata_bucket\": \"m\"}}",
                "{\"depcfg\": {\"source_category\": \"Cart\", \"source_position\": -1, \"metadata_bucket\": \"m\"}}",
                "{\"depcfg\": {\"source_category\": \"Cart-7\", \"metadata_bucket\": \"m\"}}",
                "{\"depcfg\": {\"source_category\": \"Cart\", \"source_bucket\": \"a\", \"metadata_bucket\": \"m\"}}",
                "{\"depcfg\": {\"source_category\": \"Cart\", \"source_scope\": \"s\", \"metadata_bucket\": \"m\"}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"source_position\": 42, \"metadata_bucket\": \"m\"}}",
                "{\"depcfg\": {\"source_bucket\": \"a b\", \"metadata_bucket\": \"m\"}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"source_scope\": \"*\", \"source_collection\": \"*\", \"metadata_bucket\": \"m\"}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"metadata_bucket\": \"m\", \"metadata_scope\": \"*\", \"metadata_collection\": \"*\"}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"metadata_bucket\": \"m\", \"buckets\": [{\"alias\": \"x\", \"bucket_name\": \"b\"}]}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"metadata_bucket\": \"m\", \"buckets\": [{\"alias\": \"x\"}]}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"metadata_bucket\": \"m\", \"buckets\": [{\"alias\": \"log\", \"bucket_name\": \"b\"}]}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"metadata_bucket\": \"m\", \"buckets\": [{\"alias\": \"x\", \"bucket_name\": \"b\", \"access\": \"w\"}]}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"metadata_bucket\": \"m\", \"curl\": [{\"value\": \"x\", \"hostname\": \"https://h:1/p\"}]}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"metadata_bucket\": \"m\", \"curl\": [{\"value\": \"x\", \"hostname\": \"ftp://h\"}]}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"metadata_bucket\": \"m\", \"curl\": [{\"value\": \"x\", \"hostname\": \"http://u:p@h\"}]}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"metadata_bucket\": \"m\", \"curl\": [{\"value\": \"x\", \"hostname\": \"http://h\", \"auth_type\": \"oauth\"}]}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"metadata_bucket\": \"m\", \"constants\": [{\"value\": \"x\", \"literal\": \" \"}]}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"metadata_bucket\": \"m\", \"constants\": [{\"value\": \"x\", \"literal\": \"1\"}]}}",
                "{\"depcfg\": {\"source_bucket\": \"a\", \"metadata_bucket\": \"m\", \"bukets\": []}, \"enforce_schema\": true}",
                "{\"misspelt\": 1, \"enforce_schema\": true}"
            })
    void definitions_areJudgedAsByTheService(String changes) {
        ObjectNode definition = definition();
        definition.setAll((ObjectNode) JSON.readTree(changes));

        assertThat(SCHEMA.validate(definition).isEmpty()).as(changes).isEqualTo(isAccepted(definition));
    }

    private static ObjectNode definition() {
        return (ObjectNode) JSON.readTree("""
                {"appname": "f", "appcode": "function OnUpdate() {}",
                 "depcfg": {"source_bucket": "a", "metadata_bucket": "m"}}""");
    }

    private static boolean isAccepted(JsonNode definition) {
        try {
            DefinitionReader.read(definition, null, LIMIT);
            return true;
        } catch (FunctionsException refused) {
            return false;
        }
    }
}
