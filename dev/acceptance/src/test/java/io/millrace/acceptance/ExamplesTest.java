package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExamplesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders/price_orders",
                "cron/cron_impl_1func",
                "cron/cron_impl_2func_651",
                "cron/cron_impl_2func_651_help"
            })
    void definition_hasTheCodeOfTheScript(String example) {
        Path script = Repository.ROOT.resolve("examples/" + example + ".js");
        JsonNode definition =
                JsonMapper.shared().readTree(Repository.read(Repository.ROOT.resolve("examples/" + example + ".json")));

        assertThat(definition.path("appname").asString(""))
                .isEqualTo(script.getFileName().toString().replace(".js", ""));
        assertThat(definition.path("appcode").asString("")).isEqualTo(Repository.read(script));
    }
}
