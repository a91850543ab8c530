package io.millrace.worker.cases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.HandlerEngine;
import io.millrace.worker.bindings.QueryBinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TimeZone;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The examples of Couchbase's documentation of Eventing as they are, with cases of our own. Their code is read from the pages in
 * {@code shared/conformance/eventing-pages} next to the repository: the files of {@code modules/eventing/pages} in the sources of
 * that documentation. The title of cases is the name of a page, with {@code #n} for a handler that is not the first of its page.
 */
class DocumentedExamplesTest {

    private static final Pattern CODE = Pattern.compile(
            "^\\[source,\\s*javascript[^\\]]*\\]\\R-{4,}\\R(.*?)\\R-{4,}$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern HANDLER = Pattern.compile("function\\s+On(Update|Delete|Deploy)\\b");

    private static final TimeZone OF_THE_MACHINE = TimeZone.getDefault();
    private static final HandlerEngine ENGINE = HandlerEngine.start(QueryBinding::read, why -> {});

    /** The documentation shows what its examples do in a time zone that is not UTC. */
    @BeforeAll
    static void moveToTheZoneOfTheDocumentation() {
        TimeZone.setDefault(TimeZone.getTimeZone("America/Los_Angeles"));
    }

    @AfterAll
    static void close() {
        TimeZone.setDefault(OF_THE_MACHINE);
        ENGINE.close();
    }

    static List<Topic> examples() {
        return Topic.of("/documented-examples.kit");
    }

    /** Returns nothing where the pages are not next to the repository. */
    static List<Topic> examplesWithPages() {
        return Files.isDirectory(pages()) ? examples() : List.of();
    }

    /** Returns the folder of the pages. */
    private static Path pages() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path candidate = at.resolve("shared").resolve("conformance").resolve("eventing-pages");
            if (Files.isDirectory(candidate)) {
                return candidate;
            }
        }
        return Path.of("no pages here");
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("examplesWithPages")
    void example_asItIs_doesWhatIsDocumented(Topic example) throws IOException {
        assertThat(example.withCode(code(example.name())).failures(ENGINE)).isEmpty();
    }

    private static String code(String name) throws IOException {
        String[] pageAndNumber = name.split("#");
        List<String> handlers = CODE.matcher(Files.readString(pages().resolve(pageAndNumber[0] + ".adoc"), UTF_8))
                .results()
                .map(block -> block.group(1))
                .filter(code -> HANDLER.matcher(code).find())
                .toList();
        int number = pageAndNumber.length == 1 ? 1 : Integer.parseInt(pageAndNumber[1]);
        assertThat(handlers).as("handlers of %s", pageAndNumber[0]).hasSizeGreaterThanOrEqualTo(number);
        return handlers.get(number - 1);
    }

    @Test
    void examples_haveCases() {
        assertThat(examples().stream().map(Topic::name)).hasSize(47).doesNotHaveDuplicates();
        assertThat(examples()).allSatisfy(example -> assertThat(example.cases()).isNotEmpty());
    }
}
