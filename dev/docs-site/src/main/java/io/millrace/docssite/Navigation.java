package io.millrace.docssite;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;

/**
 * The menu of all pages: the lists of the index below its headings.
 *
 * @param sections in order
 */
record Navigation(List<Section> sections) {

    /** A heading of the index with the pages below it. */
    record Section(String title, List<Entry> entries) {}

    /** A page in the menu. */
    record Entry(String title, SitePath place) {}

    static Navigation of(Markdown index) {
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(
                "",
                new ArrayList<>(List.of(
                        new Entry("All documents", index.place()),
                        new Entry("What Millrace is", SitePath.of("README.md"))))));
        index.tree().accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                if (heading.getLevel() == 2) {
                    sections.add(new Section(Markdown.text(heading), new ArrayList<>()));
                }
            }

            @Override
            public void visit(Link link) {
                String file = index.file(link.getDestination());
                if (file != null && sections.size() > 1) {
                    sections.getLast().entries().add(new Entry(Markdown.text(link), SitePath.of(file)));
                }
            }
        });
        return new Navigation(List.copyOf(sections));
    }
}
