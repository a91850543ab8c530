package io.millrace.docssite;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The anchors of one page's headings, as GitHub makes them, so that links work in both places. */
final class Slugs {

    private final Map<String, Integer> used = new HashMap<>();

    String of(String heading) {
        String slug = heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
        int before = used.merge(slug, 1, Integer::sum) - 1;
        return before == 0 ? slug : slug + "-" + before;
    }
}
