package io.millrace.docssite;

import java.nio.file.Path;
import java.util.Locale;

/**
 * Where a file of the repository is in the site.
 *
 * @param file its path in the repository, with slashes
 * @param page the path of its page below the root of the site
 */
record SitePath(String file, String page) {

    private static final String INDEX = "docs/README.md";
    private static final String OVERVIEW = "README.md";

    static SitePath of(String file) {
        return new SitePath(file, page(file));
    }

    private static String page(String file) {
        if (file.equals(INDEX)) {
            return "index.html";
        }
        if (file.equals(OVERVIEW)) {
            return "overview.html";
        }
        String path = file.startsWith("docs/") ? file.substring("docs/".length()) : file;
        if (file.endsWith(".md")) {
            return path.substring(0, path.length() - ".md".length()).toLowerCase(Locale.ROOT) + ".html";
        }
        return file.endsWith(".svg") || file.endsWith(".png") ? path : "source/" + file + ".html";
    }

    /** The address of another page as this one links it. */
    String linkTo(SitePath other) {
        return toRoot() + other.page();
    }

    /** The address of the root of the site as this page links it: empty, or ends with a slash. */
    String toRoot() {
        return "../".repeat((int) page.chars().filter(c -> c == '/').count());
    }

    /** The file that a relative link of this file means. */
    String resolve(String link) {
        Path parent = Path.of("/" + file).getParent();
        return Path.of("/")
                .relativize(
                        (parent == null ? Path.of("/") : parent).resolve(link).normalize())
                .toString()
                .replace('\\', '/');
    }
}
