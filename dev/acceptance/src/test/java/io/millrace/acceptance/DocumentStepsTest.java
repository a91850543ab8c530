package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class DocumentStepsTest {

    private static final String DOCUMENT = """
            ```console not run: needs a cluster
            curl no
            ```
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
            ```text
            the output of no command
            ```
            ```bash
            curl three
            ```
            """;

    @Test
    void of_aDocument_givesItsCommandsWithWhatTheyPrint() {
        List<DocumentSteps.Step> steps = DocumentSteps.of(DOCUMENT);

        assertThat(steps)
                .containsExactly(
                        new DocumentSteps.Step("curl one\ncurl two\n", "{\"a\":1...}\n"),
                        new DocumentSteps.Step("curl three\n", null));
    }

    @Test
    void blocks_ofADocument_haveTheirLanguages() {
        assertThat(DocumentSteps.blocks(DOCUMENT))
                .extracting(DocumentSteps.Block::language)
                .containsExactly("console", "bash", "text", "js", "text", "bash");
        assertThat(DocumentSteps.blocks(DOCUMENT).getFirst().note()).isEqualTo("not run: needs a cluster");
    }

    @Test
    void matches_withDots_acceptsAnyTextThere() {
        DocumentSteps.Step step = new DocumentSteps.Step("", "{\"a\":1...}\n");

        assertThat(step.matches("{\"a\":1,\n\"b\":2}\n")).isTrue();
        assertThat(step.matches("{\"a\":1}")).isTrue();
        assertThat(step.matches("{\"a\":2}")).isFalse();
        assertThat(step.matches("x{\"a\":1}")).isFalse();
    }

    @Test
    void parseAll_ofQuotesAndContinuedLines_givesWholeCommands() throws IOException {
        List<DocumentCommand> commands = DocumentCommand.parseAll("""
                curl -X PUT localhost:8080/a \\
                  --json '{
                  "x": "y z"}'
                curl "localhost:8080/b"
                ./millrace query 'SELECT 1'
                """, Path.of("."));

        assertThat(commands)
                .extracting(DocumentCommand::toString)
                .containsExactly(
                        "curl -X PUT localhost:8080/a --json {\n  \"x\": \"y z\"}",
                        "curl localhost:8080/b",
                        "./millrace query SELECT 1");
    }

    @Test
    void parseAll_ofAnUnknownOption_fails() {
        assertThatThrownBy(() -> DocumentCommand.parseAll("curl --compressed x\n", Path.of(".")))
                .hasMessageContaining("--compressed");
    }

    @Test
    void parseAll_ofAnUnknownCommand_fails() {
        assertThatThrownBy(() -> DocumentCommand.parseAll("rm -r x\n", Path.of(".")))
                .hasMessageContaining("rm -r x");
    }
}
