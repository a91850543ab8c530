package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The form of the fragments in {@code changelog/unreleased}, as {@code changelog/README.md} describes it. */
class ChangelogTest {

    private static final Path UNRELEASED = Repository.ROOT.resolve("changelog/unreleased");
    private static final Set<String> KINDS = Set.of("added", "changed", "deprecated", "removed", "fixed", "security");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*\\.md");
    private static final Pattern FRAGMENT = Pattern.compile("kind: (\\w+)\n\n(\\S.*\\S)\n", Pattern.DOTALL);
    private static final int MOST_CHARACTERS = 1_000;

    @Test
    void fragments_haveTheDocumentedForm() {
        List<Path> files = Repository.files("").stream()
                .filter(file -> file.startsWith(UNRELEASED))
                .toList();
        List<String> mistakes = new ArrayList<>();
        for (Path file : files) {
            String name = file.getFileName().toString();
            mistakes(name, Repository.read(file)).forEach(mistake -> mistakes.add(name + ": " + mistake));
        }

        assertThat(mistakes).isEmpty();
    }

    @Test
    void kinds_areTheDocumentedOnes() {
        String readme = Repository.read(Repository.ROOT.resolve("changelog/README.md"));

        assertThat(Pattern.compile("(?m)^\\| `(\\w+)` \\|").matcher(readme).results())
                .extracting(row -> row.group(1))
                .containsExactlyInAnyOrderElementsOf(KINDS);
    }

    @ParameterizedTest
    @CsvSource({
        "Timers.md,     'kind: fixed|| Text.|',    file name",
        "timers.txt,    'kind: fixed||Text.|',     file name",
        "timers.md,     'kind: improved||Text.|',  kind",
        "timers.md,     'kind: fixed|Text.|',      first line",
        "timers.md,     'Text.|',                  first line",
        "timers.md,     'kind: fixed||Text|',      full sentences",
    })
    void mistakes_areFound(String name, String text, String mistake) {
        assertThat(mistakes(name, text.replace('|', '\n')))
                .anySatisfy(found -> assertThat(found).contains(mistake));
    }

    @Test
    void longFragments_areRefused() {
        assertThat(mistakes("timers.md", "kind: fixed\n\n" + "x".repeat(MOST_CHARACTERS) + ".\n"))
                .singleElement()
                .asString()
                .contains("1000 characters");
    }

    private static List<String> mistakes(String name, String text) {
        List<String> mistakes = new ArrayList<>();
        if (!NAME.matcher(name).matches()) {
            mistakes.add("the file name must be lower case with hyphens and end in .md");
        }
        Matcher fragment = FRAGMENT.matcher(text);
        if (!fragment.matches()) {
            mistakes.add("the first line must be 'kind: KIND', the second empty, then the text and one line break");
            return mistakes;
        }
        if (!KINDS.contains(fragment.group(1))) {
            mistakes.add("the kind must be one of " + KINDS);
        }
        if (fragment.group(2).length() > MOST_CHARACTERS) {
            mistakes.add("the text must have at most " + MOST_CHARACTERS + " characters");
        }
        if (!fragment.group(2).endsWith(".")) {
            mistakes.add("the text must be full sentences, ending with a full stop");
        }
        return mistakes;
    }
}
