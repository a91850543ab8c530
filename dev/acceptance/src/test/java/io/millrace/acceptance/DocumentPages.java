package io.millrace.acceptance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pages of the documentation: the README, the index of {@code docs}, and what the index links. */
final class DocumentPages {

    private static final Pattern LINKED_PAGE = Pattern.compile("]\\(([^)#:\\s]+\\.md)\\)");

    private DocumentPages() {}

    static Path index() {
        return Repository.ROOT.resolve("docs/README.md");
    }

    static List<Path> inReadingOrder() {
        Set<Path> pages = new LinkedHashSet<>(List.of(Repository.ROOT.resolve("README.md"), index()));
        Matcher link = LINKED_PAGE.matcher(Repository.read(index()));
        while (link.find()) {
            Path page = index().resolveSibling(link.group(1)).normalize();
            if (Files.exists(page)) {
                pages.add(page);
            }
        }
        return List.copyOf(pages);
    }
}
