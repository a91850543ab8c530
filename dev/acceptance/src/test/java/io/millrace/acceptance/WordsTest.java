package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Texts are plain English: no word of the idiolect that a reader has to decode. CONTRIBUTING.md says what to write instead. */
class WordsTest {

    /** "There is no bucket" is English, "the bucket is no document" is not. */
    private static final Pattern BANNED = Pattern.compile("\\b([Ww]hoever|[Nn]obody|[Ss]omebody|[Aa]new|[Bb]eside)\\b"
            + "|(?<![Tt]here )\\bis (no|none)\\b(?! (longer|more|less|fewer|later)\\b)"
            + "|(?<=[a-z])(Whoever|Nobody|Somebody|Anew|Beside(?!s)|IsNo(?!Longer|More)[A-Z]|IsNone)");

    private static final Pattern QUOTED_IN_MARKDOWN = Pattern.compile("`[^`]*`|\"[^\"]*\"");

    private static final List<String> KINDS = List.of(
            ".java",
            ".md",
            ".lua",
            ".yml",
            ".yaml",
            ".html",
            ".js",
            ".ts",
            ".css",
            ".sh",
            ".xml",
            ".properties",
            ".g4",
            ".kit");

    /** They have to name the words. */
    private static final Set<String> MAY_NAME_THEM = Set.of("WordsTest.java");

    @Test
    void texts_arePlainEnglish() {
        List<String> found = new ArrayList<>();
        for (Path file : texts()) {
            if (MAY_NAME_THEM.contains(file.getFileName().toString())) {
                continue;
            }
            int number = 0;
            for (String line : Repository.read(file).split("\n")) {
                number++;
                if (isBanned(file.toString(), line)) {
                    found.add(Repository.name(file) + ":" + number + " " + line.strip());
                }
            }
        }

        assertThat(found).as("lines with words that CONTRIBUTING.md bans").isEmpty();
    }

    @Test
    void bannedWords_areFoundAndEnglishIsLeftAlone() {
        assertThat(isBanned("A.java", "/** Tells whoever asks. */")).isTrue();
        assertThat(isBanned("A.java", "throw new X(\"The value is no number\");"))
                .isTrue();
        assertThat(isBanned("a.md", "Beside it stands a file.")).isTrue();
        assertThat(isBanned("A.java", "void mirror_startsAnew() {")).isTrue();
        assertThat(isBanned("a.md", "There is no bucket 'a', and it is no longer needed."))
                .isFalse();
        assertThat(isBanned("A.java", "BodyPublishers.noBody()")).isFalse();
        assertThat(isBanned("a.md", "Not `whoever`, nor \"is none\".")).isFalse();
    }

    private static boolean isBanned(String file, String line) {
        String text = file.endsWith(".md") ? QUOTED_IN_MARKDOWN.matcher(line).replaceAll("") : line;
        return BANNED.matcher(text).find();
    }

    private static List<Path> texts() {
        return Stream.concat(
                        KINDS.stream().flatMap(kind -> Repository.files(kind).stream()),
                        Stream.of(Repository.ROOT.resolve("millrace")))
                .toList();
    }
}
