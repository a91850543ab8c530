package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Loads real data from a directory next to the repository, if it exists. */
class LoadIT {

    private static final Path DATA = Repository.ROOT.resolveSibling("shared").resolve("data");

    @ParameterizedTest
    @CsvSource({"travel-sample-subset.jsonl, travel-sample, 5050", "beer-sample.jsonl, beer-sample, 7303"})
    void dataSet_isLoadedWhole(String file, String bucket, int documents) throws Exception {
        Path lines = DATA.resolve(file);
        assumeTrue(Files.exists(lines));

        try (LauncherProcess load =
                LauncherProcess.start(RunningSuite.environment(), "load", lines.toString(), bucket)) {
            int exit = load.awaitExit(180);

            assertThat(load.output()).contains("%,d documents in %s, 0 refused".formatted(documents, bucket));
            assertThat(exit).isZero();
        }
        try (Api api = new Api(RunningSuite.gateway())) {
            for (String line : Files.readAllLines(lines).subList(0, 50)) {
                JsonNode sent = JsonMapper.shared().readTree(line);
                assertThat(api.get(Api.document(bucket, sent.path("id").asString()))
                                .succeeded()
                                .json())
                        .isEqualTo(sent.path("value"));
            }
        }
    }
}
