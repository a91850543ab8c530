package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A new user types what the documents say, page by page in their order, and sees what they show. */
class DocsIT {

    @TestFactory
    Stream<DynamicTest> steps_typedInOrder_showWhatTheDocumentShows() {
        List<Path> pages = DocumentPages.inReadingOrder();
        assertThat(DocumentSteps.of(Repository.read(pages.getFirst()))).hasSizeGreaterThan(5);
        return pages.stream()
                .filter(page -> !DocumentSteps.of(Repository.read(page)).isEmpty())
                .map(page -> DynamicTest.dynamicTest(Repository.name(page), () -> follow(page)));
    }

    private static void follow(Path page) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            String document = Repository.read(page);
            List<String> sql = DocumentSteps.blocks(document).stream()
                    .filter(block -> block.language().equals("sql"))
                    .map(DocumentSteps.Block::text)
                    .toList();
            for (DocumentSteps.Step step : DocumentSteps.of(document)) {
                List<DocumentCommand> commands =
                        DocumentCommand.parseAll(Neighbors.typed(step.commands(), sql), Repository.ROOT);
                for (DocumentCommand command : commands.subList(0, commands.size() - 1)) {
                    succeed(command, command.run(client, RunningSuite.gateway()));
                }
                DocumentCommand last = commands.getLast();
                if (step.expected() == null) {
                    succeed(last, last.run(client, RunningSuite.gateway()));
                } else {
                    // the expected output may take a moment: readers type the command again
                    await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                        String printed =
                                last.run(client, RunningSuite.gateway()).text();
                        assertThat(step.matches(printed))
                                .as("%s prints%n%s%nand the document says%n%s", last, printed, step.expected())
                                .isTrue();
                    });
                }
            }
        }
    }

    private static void succeed(DocumentCommand command, DocumentCommand.Printed printed) {
        assertThat(printed.succeeded())
                .as("%s prints %s", command, printed.text())
                .isTrue();
    }
}
