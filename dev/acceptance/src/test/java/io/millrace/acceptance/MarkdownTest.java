package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the documents say about this repository is there. */
class MarkdownTest {

    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    /** A link whose text looks like the name of a class. */
    private static final Pattern CLASS_LINK = Pattern.compile("\\[([A-Z][A-Za-z0-9]+)]\\([^)\\s]*?(\\w+)\\.java\\)");

    private static final Pattern CODE_BLOCK = Pattern.compile("(?s)```.*?```");

    @Test
    void links_leadSomewhere() {
        List<String> broken = new ArrayList<>();
        List<Path> documents = Repository.files(".md");
        for (Path document : documents) {
            String text = CODE_BLOCK.matcher(Repository.read(document)).replaceAll("");
            Matcher matcher = LINK.matcher(text);
            while (matcher.find()) {
                String target = matcher.group(1);
                if (!target.matches("[a-z]+:.*") && !leadsSomewhere(document, target)) {
                    broken.add(Repository.name(document) + " -> " + target);
                }
            }
        }

        assertThat(documents).isNotEmpty();
        assertThat(broken).isEmpty();
    }

    @Test
    void linksToClasses_haveTheirNames() {
        List<String> wrong = new ArrayList<>();
        for (Path document : Repository.files(".md")) {
            Matcher matcher = CLASS_LINK.matcher(Repository.read(document));
            while (matcher.find()) {
                if (!matcher.group(1).equals(matcher.group(2))) {
                    wrong.add(Repository.name(document) + ": " + matcher.group(1) + " -> " + matcher.group(2));
                }
            }
        }

        assertThat(wrong).as("links whose text is not the name of the class").isEmpty();
    }

    private static boolean leadsSomewhere(Path document, String target) {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file = path.isEmpty() ? document : document.resolveSibling(path).normalize();
        return Files.exists(file)
                && file.startsWith(Repository.ROOT)
                && (hash < 0 || anchors(file).contains(target.substring(hash + 1)));
    }

    /** As GitHub makes them from headings. */
    private static Set<String> anchors(Path file) {
        return Repository.read(file)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ *", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
