package io.millrace.eventing.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class SettingsTest {

    @ParameterizedTest
    @EnumSource(Setting.class)
    void everyDefault_keepsItsOwnRule(Setting setting) {
        JsonNode json = DefinitionWriter.settings(Settings.defaults(), LifecycleFlags.UNDEPLOY)
                .get(setting.jsonName());

        assertThat(setting.rule().accept(json)).isEqualTo(setting.standard());
    }

    @ParameterizedTest
    @EnumSource(Setting.class)
    void everyDescription_isASentenceWithSingleSpaces(Setting setting) {
        assertThat(setting.description()).matches("[A-Z].*\\.").doesNotContain("  ");
    }

    @Test
    void checkpointInterval_ofOldExports_isInMilliseconds() {
        assertThat(merged("{\"checkpoint_interval\": 60000}").whole(Setting.CHECKPOINT_INTERVAL))
                .isEqualTo(60);
        assertThat(merged("{\"checkpoint_interval\": 5}").whole(Setting.CHECKPOINT_INTERVAL))
                .isEqualTo(5);
    }

    @Test
    void fromPrior_meansEverything() {
        assertThat(merged("{\"dcp_stream_boundary\": \"from_prior\"}").text(Setting.DCP_STREAM_BOUNDARY))
                .isEqualTo("everything");
    }

    @Test
    void wholeNumber_mayBeSpelledAsADecimal() {
        assertThat(merged("{\"worker_count\": 2.0}").whole(Setting.WORKER_COUNT))
                .isEqualTo(2);
    }

    @Test
    void merge_keepsWhatIsNotMentioned() {
        Settings first = merged("{\"worker_count\": 2}");

        Settings second = first.merge(SampleDefinitions.parse("{\"description\": \"x\"}"));

        assertThat(second.whole(Setting.WORKER_COUNT)).isEqualTo(2);
        assertThat(second.differences(first)).containsExactly("description");
    }

    @Test
    void firstFrozen_dependsOnTheState() {
        Settings before = Settings.defaults();
        Settings level = merged("{\"log_level\": \"DEBUG\"}");
        Settings workers = merged("{\"worker_count\": 2}");
        Settings boundary = merged("{\"dcp_stream_boundary\": \"from_now\"}");

        assertThat(before.firstFrozen(level, Setting.When.ALWAYS)).isNull();
        assertThat(before.firstFrozen(workers, Setting.When.ALWAYS)).isEqualTo("worker_count");
        assertThat(before.firstFrozen(workers, Setting.When.PAUSED)).isNull();
        assertThat(before.firstFrozen(boundary, Setting.When.PAUSED)).isEqualTo("dcp_stream_boundary");
        assertThat(before.firstFrozen(boundary, Setting.When.UNDEPLOYED)).isNull();
    }

    @Test
    void table_namesEverySetting() {
        for (Setting setting : Setting.values()) {
            assertThat(Setting.table()).contains("| `" + setting.jsonName() + "` |");
        }
    }

    @Test
    void filter_isRefusedWithThePlaceOfTheMistake() {
        assertThatThrownBy(() -> merged("{\"filter\": \"total > 1 AND AND x\"}"))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining("line 1, column 15")
                .hasMessageContaining("Write a condition as behind WHERE");
        assertThatThrownBy(() -> merged("{\"filter\": \"updated > NOW_MILLIS()\"}"))
                .hasMessageContaining("cannot depend on now_millis()");
        assertThat(merged("{\"filter\": \"total > 1\"}").text(Setting.FILTER)).isEqualTo("total > 1");
    }

    @Test
    void env_isReadAndWrittenAsItWas() {
        String json = "{\"GREETING\":\"say \\\"hi\\\"\",\"OPEN\":true,\"RATE\":0.19,\"SHARE\":1.0E10,\"TRIES\":3}";

        Settings settings = merged("{\"env\": " + json + "}");

        assertThat(settings.env()).hasToString(json);
        assertThat(merged(DefinitionWriter.settings(settings, LifecycleFlags.UNDEPLOY)
                        .toString()))
                .isEqualTo(settings);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "[1]|Setting 'env' is [1]; it must be an object of at most 100 names",
                "{'a-b': 1}|Constant of env 'a-b' is not a JavaScript identifier.",
                "{'log': 1}|Constant of env 'log' is the name of a built-in function.",
                "{'A': null}|Constant 'A' of env must be a number, true, false, or a string",
                "{'A': [1]}|Constant 'A' of env must be a number, true, false, or a string",
                "{'A': 1e999}|Constant 'A' of env must be a number, true, false, or a string"
            })
    void env_thatIsWrong_isRefusedByName(String env, String words) {
        assertThatThrownBy(() -> merged("{\"env\": %s}".formatted(env.replace('\'', '"'))))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining(words);
    }

    @Test
    void env_hasLimits() {
        ObjectNode many = (ObjectNode) SampleDefinitions.parse("{}");
        for (int i = 0; i <= Env.MAX_CONSTANTS; i++) {
            many.put("A" + i, i);
        }

        assertThatThrownBy(() -> Env.read(many)).hasMessageContaining("has 101 constants, at most 100 are allowed");
        assertThatThrownBy(() -> merged("{\"env\": {\"A\": \"%s\"}}".formatted("x".repeat(Env.MAX_CHARS + 1))))
                .hasMessageContaining("at most 4096 characters");
    }

    @Test
    void env_withTheNameOfABinding_isRefused() {
        ObjectNode definition = SampleDefinitions.json("f");
        definition.putObject("settings").putObject("env").put("dst", 1);

        assertThatThrownBy(() -> DefinitionReader.read(definition, null, CodeLimit.STORED))
                .hasMessageContaining("Constant 'dst' of env has the name of a binding");
    }

    private static Settings merged(String json) {
        return Settings.defaults().merge(SampleDefinitions.parse(json));
    }
}
