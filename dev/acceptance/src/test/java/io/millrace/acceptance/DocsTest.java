package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The habits of the documentation; that its links lead somewhere is in {@link MarkdownTest}. */
class DocsTest {

    private static final int LONGEST_README_LINES = 200;

    /** Shell blocks are {@code bash}, which {@link DocsIT} runs, or {@code console}, which give a reason. */
    private static final Set<String> LANGUAGES =
            Set.of("bash", "console", "text", "js", "json", "java", "xml", "http", "sql", "yaml", "diagram");

    private static final String REASON = "not run: ";

    @Test
    void readme_isShort() {
        assertThat(Repository.read(Repository.ROOT.resolve("README.md")).lines().count())
                .isLessThanOrEqualTo(LONGEST_README_LINES);
    }

    @Test
    void index_linksEveryPage() {
        List<Path> pages = DocumentPages.inReadingOrder();

        assertThat(Repository.files(".md"))
                .filteredOn(page -> page.startsWith(Repository.ROOT.resolve("docs")))
                .allSatisfy(page -> assertThat(pages).contains(page));
    }

    @Test
    void modules_areAllDescribed() {
        String page = Repository.read(Repository.ROOT.resolve("docs/reference/modules.md"));

        assertThat(Repository.modules())
                .allSatisfy(module -> assertThat(page).contains("](../../" + Repository.name(module) + ")"));
    }

    @Test
    void blocks_haveALanguage_soThatNoShellBlockGoesUnnoticed() {
        List<String> unknown = new ArrayList<>();
        for (Path page : DocumentPages.inReadingOrder()) {
            for (DocumentSteps.Block block : DocumentSteps.blocks(Repository.read(page))) {
                if (!LANGUAGES.contains(block.language())) {
                    unknown.add(Repository.name(page) + ": ```" + block.language() + "\n" + block.text());
                }
            }
        }

        assertThat(unknown).isEmpty();
    }

    @Test
    void shellBlocksThatAreNotRun_sayWhy() {
        List<String> silent = new ArrayList<>();
        for (Path page : DocumentPages.inReadingOrder()) {
            for (DocumentSteps.Block block : DocumentSteps.blocks(Repository.read(page))) {
                boolean says = block.note().startsWith(REASON) && block.note().length() > REASON.length();
                if (block.language().equals("console") && !says) {
                    silent.add(Repository.name(page) + ":\n" + block.text());
                }
            }
        }

        assertThat(silent)
                .as("console blocks without '```console %s' and a reason", REASON)
                .isEmpty();
    }

    @Test
    void pages_beginWithTheirTitle() {
        assertThat(DocumentPages.inReadingOrder())
                .allSatisfy(page -> assertThat(Repository.read(page)).startsWith("# "));
    }
}
