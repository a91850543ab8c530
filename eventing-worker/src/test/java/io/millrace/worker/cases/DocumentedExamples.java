package io.millrace.worker.cases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The examples of Couchbase's documentation of Eventing as they are, with cases of our own. Their code is read from the pages in
 * {@code shared/conformance/eventing-pages} next to the repository: the files of {@code modules/eventing/pages} in the sources of
 * that documentation. The title of cases is the name of a page, with {@code #n} for a handler that is not the first of its page.
 */
final class DocumentedExamples {

    private static final Pattern CODE = Pattern.compile(
            "^\\[source,\\s*javascript[^\\]]*\\]\\R-{4,}\\R(.*?)\\R-{4,}$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern HANDLER = Pattern.compile("function\\s+On(Update|Delete|Deploy)\\b");

    private DocumentedExamples() {}

    /** Returns the cases; their topics have no code. */
    static List<Topic> cases() {
        return Topic.of("/documented-examples.kit");
    }

    /** Returns the examples with their code, none where the pages are not next to the repository. */
    static List<Topic> asTheyAre() {
        Path pages = pages();
        return Files.isDirectory(pages)
                ? cases().stream()
                        .map(example -> example.withCode(code(pages, example.name())))
                        .toList()
                : List.of();
    }

    private static Path pages() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path candidate = at.resolve("shared").resolve("conformance").resolve("eventing-pages");
            if (Files.isDirectory(candidate)) {
                return candidate;
            }
        }
        return Path.of("no pages here");
    }

    private static String code(Path pages, String name) {
        String[] pageAndNumber = name.split("#");
        List<String> handlers = CODE.matcher(text(pages.resolve(pageAndNumber[0] + ".adoc")))
                .results()
                .map(block -> block.group(1))
                .filter(code -> HANDLER.matcher(code).find())
                .toList();
        int number = pageAndNumber.length == 1 ? 1 : Integer.parseInt(pageAndNumber[1]);
        assertThat(handlers).as("handlers of %s", pageAndNumber[0]).hasSizeGreaterThanOrEqualTo(number);
        return handlers.get(number - 1);
    }

    private static String text(Path page) {
        try {
            return Files.readString(page, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
