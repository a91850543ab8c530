package io.millrace.docssite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jspecify.annotations.Nullable;

/** One document: its tree, its title, its headings with their anchors, and the files that it links. */
final class Markdown {

    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

    /** A heading of a document. */
    record Title(int level, String text, String anchor) {}

    private final SitePath place;
    private final Path root;
    private final Node tree;
    private final Map<Node, Title> titles = new HashMap<>();
    private final List<Title> inOrder = new ArrayList<>();
    private final Set<String> linkedFiles = new LinkedHashSet<>();
    private final Set<String> images = new LinkedHashSet<>();

    private Markdown(SitePath place, Node tree, Path root) {
        this.place = place;
        this.root = root;
        this.tree = tree;
    }

    static Markdown parse(SitePath place, String text, Path root) {
        Markdown document = new Markdown(place, PARSER.parse(text), root);
        document.look();
        return document;
    }

    private void look() {
        Slugs slugs = new Slugs();
        tree.accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                String text = text(heading);
                Title title = new Title(heading.getLevel(), text, slugs.of(text));
                titles.put(heading, title);
                inOrder.add(title);
                visitChildren(heading);
            }

            @Override
            public void visit(Link link) {
                String file = file(link.getDestination());
                if (file != null && Files.isRegularFile(root.resolve(file))) {
                    linkedFiles.add(file);
                }
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                String file = file(image.getDestination());
                if (file != null) {
                    images.add(file);
                }
            }
        });
    }

    SitePath place() {
        return place;
    }

    Node tree() {
        return tree;
    }

    String title() {
        return inOrder.isEmpty() ? place.file() : inOrder.getFirst().text();
    }

    List<Title> titles() {
        return List.copyOf(inOrder);
    }

    @Nullable
    Title title(Node heading) {
        return titles.get(heading);
    }

    /** The files of the repository that its links lead to. */
    Set<String> linkedFiles() {
        return linkedFiles;
    }

    Set<String> images() {
        return images;
    }

    /** The file that a link leads to, or null when it leads elsewhere or to a place in this document. */
    @Nullable
    String file(String destination) {
        String path = destination.replaceFirst("#.*", "");
        return path.isEmpty() || path.matches("[a-z]+:.*") ? null : place.resolve(path);
    }

    /** The content of the page. */
    String html() {
        return HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(context -> new PageAttributes(this))
                .nodeRendererFactory(context -> new LinkRenderer(context, this, root))
                .build()
                .render(tree)
                // wide tables scroll by themselves, not the page
                .replaceAll("<table( [^>]*)?>", "<div class=\"scroll\" tabindex=\"0\"><table$1>")
                .replace("</table>", "</table></div>");
    }

    /** The words of a node without markup. */
    static String text(Node node) {
        StringBuilder words = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text text) {
                words.append(text.getLiteral());
            }

            @Override
            public void visit(Code code) {
                words.append(code.getLiteral());
            }
        });
        return words.toString();
    }
}
