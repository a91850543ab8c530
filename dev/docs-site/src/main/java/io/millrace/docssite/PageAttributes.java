package io.millrace.docssite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.renderer.html.AttributeProvider;

/** Gives headings their anchors, images their places, and makes blocks of code and pictures, which may scroll, reachable by keyboard. */
final class PageAttributes implements AttributeProvider {

    private static final int COLUMNS_OF_A_NARROW_PAGE = 2;

    private final Markdown document;

    PageAttributes(Markdown document) {
        this.document = document;
    }

    @Override
    public void setAttributes(Node node, String tagName, Map<String, String> attributes) {
        Markdown.Title title = document.title(node);
        if (node instanceof Heading && title != null) {
            attributes.put("id", title.anchor());
        }
        if ((node instanceof FencedCodeBlock || node instanceof IndentedCodeBlock) && tagName.equals("pre")) {
            attributes.put("tabindex", "0");
            if (node instanceof FencedCodeBlock block && !block.getInfo().isEmpty()) {
                attributes.put("data-language", block.getInfo().replaceFirst(" .*", ""));
            }
        }
        if (node instanceof TableBlock table && headers(table).size() > COLUMNS_OF_A_NARROW_PAGE) {
            attributes.put("class", "stacked");
        }
        if (node instanceof TableCell cell && !cell.isHeader()) {
            attributes.put("data-label", label(cell));
        }
        if (node instanceof Paragraph paragraph && isPicture(paragraph)) {
            attributes.put("tabindex", "0");
        }
        if (node instanceof Image image) {
            String file = document.file(image.getDestination());
            if (file != null) {
                attributes.put("src", document.place().linkTo(SitePath.of(file)));
            }
        }
    }

    /** Whether a paragraph is a picture alone, which scrolls on a narrow page. */
    private static boolean isPicture(Paragraph paragraph) {
        return paragraph.getFirstChild() instanceof Image && paragraph.getFirstChild() == paragraph.getLastChild();
    }

    /** The header of a cell's column, which narrow pages show with the cell, because they stack the cells of a row. */
    private static String label(TableCell cell) {
        int column = 0;
        for (Node before = cell.getPrevious(); before != null; before = before.getPrevious()) {
            column++;
        }
        Node table = cell.getParent().getParent().getParent();
        List<String> headers = headers(table);
        return column < headers.size() ? headers.get(column) : "";
    }

    private static List<String> headers(Node table) {
        List<String> headers = new ArrayList<>();
        Node row = table.getFirstChild().getFirstChild();
        for (Node cell = row.getFirstChild(); cell != null; cell = cell.getNext()) {
            headers.add(Markdown.text(cell));
        }
        return headers;
    }
}
