package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A new user types what the README says. */
class ReadmeIT {

    @Test
    void firstFunction_typedInOrder_showsWhatTheReadmeShows() throws Exception {
        String readme = Repository.read(Repository.ROOT.resolve("README.md"));
        List<ReadmeSteps.Step> steps = ReadmeSteps.of(readme, "A first function in five minutes");
        assertThat(steps).hasSizeGreaterThan(5);

        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (ReadmeSteps.Step step : steps) {
                List<CurlCommand> commands = CurlCommand.parseAll(step.commands(), Repository.ROOT);
                for (CurlCommand command : commands.subList(0, commands.size() - 1)) {
                    succeed(command, command.send(client, RunningSuite.gateway()));
                }
                // what the reader is to see may take a moment: they type it again
                CurlCommand last = commands.get(commands.size() - 1);
                if (step.expected() == null) {
                    succeed(last, last.send(client, RunningSuite.gateway()));
                } else {
                    await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                        String printed =
                                last.send(client, RunningSuite.gateway()).body();
                        assertThat(step.matches(printed))
                                .as("%s prints%n%s%nand the README says%n%s", last, printed, step.expected())
                                .isTrue();
                    });
                }
            }
        }
    }

    private static void succeed(CurlCommand command, HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as("%s says %s", command, answer.body()).isBetween(200, 299);
    }
}
