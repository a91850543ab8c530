package io.millrace.functionfiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class FunctionDirectoryTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    Path home;

    @Test
    void writtenFunction_isReadAgain_withoutWhatTheServerAdded() {
        JsonNode exported = JSON.readTree("""
            {"appname": "f", "appcode": "old", "version": "evt-7.0.0-0000-ee", "handleruuid": 5,
             "function_instance_id": "i", "depcfg": {"source_bucket": "s"}, "function_scope": {"bucket": "*", "scope": "*"},
             "settings": {"deployment_status": true, "processing_status": true, "worker_count": 2}}\
            """);

        FunctionDirectory written = FunctionDirectory.create(home.resolve("f"), "code", exported, JSON.readTree("[]"));

        assertThat(written.definition()).isEqualTo(JSON.readTree("""
                {"appname": "f", "depcfg": {"source_bucket": "s"}, "settings": {"worker_count": 2}, "appcode": "code"}\
                """));
        assertThat(FunctionDirectory.below(home)).containsExactly(written);
        assertThat(written.tests()).isEmpty();
    }

    @Test
    void libraries_areFilesOfADirectory() throws IOException {
        FunctionDirectory directory = new FunctionDirectory(home.resolve("f"));
        assertThat(directory.libraries()).isEmpty();

        directory.writeLibraries(Map.of("money@1.0.0", "export {}", "tax@2", "export {a} from 'money@1.0.0'"));
        Files.writeString(directory.path().resolve("libraries/README.md"), "not a library");

        assertThat(directory.libraries())
                .containsExactly(entry("money@1.0.0", "export {}"), entry("tax@2", "export {a} from 'money@1.0.0'"));
    }

    @Test
    void typeScript_isInAFileOfItsOwn() throws IOException {
        JsonNode exported = JSON.readTree("{\"appname\": \"f\", \"settings\": {\"language\": \"typescript\"}}");
        FunctionDirectory directory =
                FunctionDirectory.create(home.resolve("f"), "let x: 1", exported, JSON.readTree("[]"));
        directory.writeEditorFiles();

        assertThat(directory.path()).isDirectoryNotContaining("glob:**/{handler.js,jsconfig.json}");
        assertThat(directory.path().resolve("tsconfig.json")).content().contains("handler.ts");
        assertThat(directory.definition())
                .isEqualTo(JSON.readTree("{\"appname\": \"f\", \"settings\":"
                        + " {\"language\": \"typescript\"}, \"appcode\": \"let x: 1\"}"));

        directory.write("let x", JSON.readTree("{\"appname\": \"f\"}"));
        assertThat(directory.codeFile()).isEqualTo(FunctionDirectory.CODE);
        Files.writeString(directory.path().resolve("handler.ts"), "");
        assertThatThrownBy(directory::code).hasMessageContaining("both handler.ts and handler.js");
    }

    @Test
    void definition_namesTheSchemaThatIsWrittenNextToIt() throws IOException {
        FunctionDirectory directory = FunctionDirectory.create(
                home.resolve("f"), "code", JSON.readTree("{\"appname\": \"f\"}"), JSON.readTree("[]"));
        directory.writeEditorFiles();

        JsonNode written = FunctionDirectory.read(directory.path().resolve("function.json"));
        assertThat(written.propertyNames()).containsExactly("$schema", "appname");
        JsonNode schema = FunctionDirectory.read(
                directory.path().resolve(written.path("$schema").asString()));
        assertThat(schema.at("/properties/settings/properties/worker_count/maximum")
                        .asInt())
                .isEqualTo(64);
        assertThat(directory.definition().has("$schema")).isFalse();
    }

    @Test
    void fileWithTypeScript_needsNoSetting() throws IOException {
        Files.writeString(home.resolve("function.json"), "{\"appname\": \"f\"}");
        Files.writeString(home.resolve("handler.ts"), "let x: 1");

        assertThat(new FunctionDirectory(home)
                        .definition()
                        .at("/settings/language")
                        .asString())
                .isEqualTo("typescript");
    }

    @Test
    void directoryThatIsNotEmpty_isLeftAlone() throws IOException {
        Files.writeString(home.resolve("precious"), "");

        assertThatThrownBy(() -> FunctionDirectory.create(home, "", JSON.readTree("{}"), JSON.readTree("[]")))
                .isInstanceOf(FunctionFilesException.class)
                .hasMessageContaining("not empty");
    }

    @Test
    void brokenDefinition_isNamedWithItsLine() throws IOException {
        Files.writeString(home.resolve("function.json"), "{\n  \"appname\": ,\n}");

        assertThatThrownBy(() -> new FunctionDirectory(home).definition())
                .hasMessageContaining("function.json is not valid JSON (line 2)");
    }

    @Test
    void definitionWithoutAName_isRefused() throws IOException {
        Files.writeString(home.resolve("function.json"), "{}");

        assertThatThrownBy(() -> new FunctionDirectory(home).definition()).hasMessageContaining("no appname");
    }

    @Test
    void everyTemplate_isComplete() {
        for (Template template : Templates.all()) {
            assertThat(template.definition()).isInstanceOf(ObjectNode.class);
            assertThat(template.tests()).as(template.name()).isNotEmpty();
            assertThat(template.sample().path("document").isObject()).isTrue();
            assertThat(Templates.find(template.name())).contains(template);
        }
    }
}
