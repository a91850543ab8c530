package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadmeStepsTest {

    private static final String DOCUMENT = """
            ## Before
            ```bash
            curl no
            ```
            ## Here
            ```bash
            curl one
            curl two
            ```
            prints
            ```text
            {"a":1...}
            ```
            ```js
            no()
            ```
            ## After
            """;

    @Test
    void of_aSection_givesItsCommandsWithWhatTheyPrint() {
        List<ReadmeSteps.Step> steps = ReadmeSteps.of(DOCUMENT, "Here");

        assertThat(steps).containsExactly(new ReadmeSteps.Step("curl one\ncurl two\n", "{\"a\":1...}\n"));
    }

    @Test
    void matches_withDots_letsAnythingStandThere() {
        ReadmeSteps.Step step = new ReadmeSteps.Step("", "{\"a\":1...}\n");

        assertThat(step.matches("{\"a\":1,\n\"b\":2}\n")).isTrue();
        assertThat(step.matches("{\"a\":1}")).isTrue();
        assertThat(step.matches("{\"a\":2}")).isFalse();
        assertThat(step.matches("x{\"a\":1}")).isFalse();
    }

    @Test
    void parseAll_ofQuotesAndContinuedLines_givesWholeCommands() throws IOException {
        List<CurlCommand> commands = CurlCommand.parseAll("""
                curl -X PUT localhost:8080/a \\
                  --json '{
                  "x": "y z"}'
                curl "localhost:8080/b"
                """, Path.of("."));

        assertThat(commands)
                .extracting(CurlCommand::toString)
                .containsExactly("curl -X PUT localhost:8080/a --json {\n  \"x\": \"y z\"}", "curl localhost:8080/b");
    }

    @Test
    void parseAll_ofAnUnknownOption_fails() {
        assertThatThrownBy(() -> CurlCommand.parseAll("curl --compressed x\n", Path.of(".")))
                .hasMessageContaining("--compressed");
    }
}
