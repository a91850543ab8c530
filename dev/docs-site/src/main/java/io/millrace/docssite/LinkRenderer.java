package io.millrace.docssite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlWriter;

/**
 * Links as the site has them: documents and source files lead to their pages; a directory, which has none, is its text
 * with its path.
 */
final class LinkRenderer implements NodeRenderer {

    private final HtmlNodeRendererContext context;
    private final HtmlWriter html;
    private final Markdown document;
    private final Path root;

    LinkRenderer(HtmlNodeRendererContext context, Markdown document, Path root) {
        this.context = context;
        this.html = context.getWriter();
        this.document = document;
        this.root = root;
    }

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
        return Set.of(Link.class);
    }

    @Override
    public void render(Node node) {
        Link link = (Link) node;
        String destination = link.getDestination();
        String file = document.file(destination);
        if (file == null) {
            anchor(link, Map.of("href", destination));
        } else if (Files.isDirectory(root.resolve(file))) {
            html.tag("span", Map.of("class", "directory", "title", file));
            children(link);
            html.tag("/span");
        } else {
            int hash = destination.indexOf('#');
            String place = hash < 0 ? "" : destination.substring(hash);
            Map<String, String> attributes = new LinkedHashMap<>();
            attributes.put("href", document.place().linkTo(SitePath.of(file)) + place);
            if (!file.endsWith(".md")) {
                attributes.put("class", "source");
                attributes.put("title", file);
            }
            anchor(link, attributes);
        }
    }

    private void anchor(Link link, Map<String, String> attributes) {
        html.tag("a", attributes);
        children(link);
        html.tag("/a");
    }

    private void children(Node parent) {
        for (Node child = parent.getFirstChild(); child != null; child = child.getNext()) {
            context.render(child);
        }
    }
}
