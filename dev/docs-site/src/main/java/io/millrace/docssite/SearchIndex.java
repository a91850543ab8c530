package io.millrace.docssite;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.ListItem;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/** The words of all pages by section, for the script of the pages. */
final class SearchIndex {

    private record Part(String page, String title, String heading, String anchor, String text) {}

    private final List<Part> parts = new ArrayList<>();

    void add(Markdown document) {
        Sections sections = new Sections(document);
        document.tree().accept(sections);
        sections.end();
    }

    /** An array of {@code {page, title, heading, anchor, text}}. */
    String json() {
        StringBuilder json = new StringBuilder("[");
        for (Part part : parts) {
            json.append(json.length() == 1 ? "\n" : ",\n")
                    .append("{\"page\":%s,\"title\":%s,\"heading\":%s,\"anchor\":%s,\"text\":%s}"
                            .formatted(
                                    quoted(part.page()),
                                    quoted(part.title()),
                                    quoted(part.heading()),
                                    quoted(part.anchor()),
                                    quoted(part.text())));
        }
        return json.append("\n]\n").toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append("\\u%04x".formatted((int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private final class Sections extends AbstractVisitor {

        private final Markdown document;
        private final StringBuilder words = new StringBuilder();
        private String heading = "";
        private String anchor = "";

        Sections(Markdown document) {
            this.document = document;
        }

        void end() {
            String text = words.toString().replaceAll("\\s+", " ").strip();
            if (!text.isEmpty() || !heading.isEmpty()) {
                parts.add(new Part(document.place().page(), document.title(), heading, anchor, text));
            }
            words.setLength(0);
        }

        @Override
        public void visit(Heading node) {
            end();
            Markdown.Title title = document.title(node);
            if (title != null) {
                heading = title.text();
                anchor = title.anchor();
            }
        }

        @Override
        public void visit(Text node) {
            words.append(node.getLiteral());
        }

        @Override
        public void visit(Code node) {
            words.append(node.getLiteral());
        }

        @Override
        public void visit(FencedCodeBlock node) {
            words.append(' ').append(node.getLiteral()).append(' ');
        }

        @Override
        public void visit(SoftLineBreak node) {
            words.append(' ');
        }

        @Override
        public void visit(HardLineBreak node) {
            words.append(' ');
        }

        @Override
        public void visit(Paragraph node) {
            visitChildren(node);
            words.append(' ');
        }

        @Override
        public void visit(ListItem node) {
            visitChildren(node);
            words.append(' ');
        }

        @Override
        public void visit(CustomNode node) {
            visitChildren(node);
            if (node instanceof TableCell) {
                words.append(' ');
            }
        }
    }
}
