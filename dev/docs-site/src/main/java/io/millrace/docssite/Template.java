package io.millrace.docssite;

import java.util.List;

/** What all pages share: head, header with search, menu. */
final class Template {

    private final Navigation navigation;

    Template(Navigation navigation) {
        this.navigation = navigation;
    }

    String document(Markdown document) {
        boolean listed = navigation.sections().stream()
                .flatMap(section -> section.entries().stream())
                .anyMatch(entry -> entry.place().equals(document.place()));
        String path = listed
                ? ""
                : "<p class=\"path\">" + Html.escape(document.place().file()) + "</p>\n";
        boolean index = document.place().page().equals("index.html");
        return page(document.place(), document.title(), index ? List.of() : document.titles(), path + document.html());
    }

    /** A source file as the links of documents show it, with numbers of lines. */
    String source(SitePath place, String text) {
        StringBuilder lines = new StringBuilder();
        text.lines()
                .forEach(line -> lines.append("<span class=\"line\">")
                        .append(Html.escape(line))
                        .append("</span>\n"));
        String name = place.file().substring(place.file().lastIndexOf('/') + 1);
        return page(
                place,
                name,
                List.of(),
                "<p class=\"path\">%s</p>\n<h1>%s</h1>\n<pre class=\"listing\" tabindex=\"0\"><code>%s</code></pre>\n"
                        .formatted(Html.escape(place.file()), Html.escape(name), lines));
    }

    private String page(SitePath place, String title, List<Markdown.Title> titles, String content) {
        String root = place.toRoot();
        return """
                <!doctype html>
                <html lang="en" data-root="%1$s">
                <head>
                  <meta charset="utf-8">
                  <meta name="viewport" content="width=device-width, initial-scale=1">
                  <title>%2$s - Millrace</title>
                  <link rel="icon" href="%1$s../icon.svg" type="image/svg+xml">
                  <link rel="stylesheet" href="%1$s../style.css">
                  <link rel="stylesheet" href="%1$sdocs.css">
                  <script src="%1$sdocs.js" defer></script>
                </head>
                <body class="docs">
                <a class="skip" href="#main">Skip to the content</a>
                <header>
                  <a class="brand" href="%1$sindex.html"><img src="%1$s../icon.svg" alt="" width="36" height="36"><span>Millrace <span class="soft">documentation</span></span></a>
                  <form class="search" role="search">
                    <input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off">
                    <div id="results" role="status" hidden></div>
                  </form>
                  <a class="console" href="%1$s../console/">Console</a>
                </header>
                <details class="menu" open>
                  <summary>Contents</summary>
                  <nav aria-label="Documentation">
                %3$s  </nav>
                </details>
                <main id="main">
                %4$s</main>
                </body>
                </html>
                """.formatted(root, Html.escape(title), menu(place, titles), content);
    }

    private String menu(SitePath here, List<Markdown.Title> titles) {
        StringBuilder menu = new StringBuilder();
        for (Navigation.Section section : navigation.sections()) {
            if (!section.title().isEmpty()) {
                menu.append("    <h2>").append(Html.escape(section.title())).append("</h2>\n");
            }
            menu.append("    <ul>\n");
            for (Navigation.Entry entry : section.entries()) {
                boolean current = entry.place().equals(here);
                menu.append("      <li><a href=\"%s\"%s>%s</a>%s</li>\n"
                        .formatted(
                                here.linkTo(entry.place()),
                                current ? " aria-current=\"page\"" : "",
                                Html.escape(entry.title()),
                                current ? parts(titles) : ""));
            }
            menu.append("    </ul>\n");
        }
        return menu.toString();
    }

    private static String parts(List<Markdown.Title> titles) {
        StringBuilder parts = new StringBuilder();
        titles.stream()
                .filter(title -> title.level() == 2)
                .forEach(title -> parts.append(
                        "<li><a href=\"#%s\">%s</a></li>".formatted(title.anchor(), Html.escape(title.text()))));
        return parts.isEmpty() ? "" : "<ul class=\"parts\">" + parts + "</ul>";
    }
}
