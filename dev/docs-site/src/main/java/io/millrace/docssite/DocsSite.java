package io.millrace.docssite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Renders {@code docs/README.md} and every document that it leads to, with the source files that they link, so that
 * the pages are whole without a network.
 */
final class DocsSite {

    private static final String INDEX = "docs/README.md";
    private static final List<String> ASSETS = List.of("docs.css", "docs.js");

    private final Path root;
    private final Path output;
    private final Map<String, Markdown> documents = new LinkedHashMap<>();
    private final Set<String> sources = new TreeSet<>();
    private final Set<String> images = new TreeSet<>();

    private DocsSite(Path root, Path output) {
        this.root = root;
        this.output = output;
    }

    /** Arguments: the root of the repository, and the directory for the pages. */
    public static void main(String[] arguments) throws IOException {
        new DocsSite(
                        Path.of(arguments[0]).toAbsolutePath().normalize(),
                        Path.of(arguments[1]).toAbsolutePath())
                .render();
    }

    private void render() throws IOException {
        collect();
        removeFormerPages();
        Navigation navigation = Navigation.of(document(INDEX));
        Template template = new Template(navigation);
        SearchIndex search = new SearchIndex();
        for (Markdown document : documents.values()) {
            write(document.place().page(), template.document(document));
            search.add(document);
        }
        for (String source : sources) {
            SitePath place = SitePath.of(source);
            write(place.page(), template.source(place, Files.readString(root.resolve(source))));
        }
        for (String image : images) {
            copy(Files.newInputStream(root.resolve(image)), SitePath.of(image).page());
        }
        for (String asset : ASSETS) {
            copy(Objects.requireNonNull(DocsSite.class.getResourceAsStream(asset), asset), asset);
        }
        write("search.json", search.json());
    }

    /** A page whose source has moved must not stay. */
    private void removeFormerPages() throws IOException {
        if (Files.exists(output)) {
            try (Stream<Path> files = Files.walk(output)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private Markdown document(String path) {
        return Objects.requireNonNull(documents.get(path), path);
    }

    /** Follows links from the index: documents lead on, other files end the way. */
    private void collect() throws IOException {
        Deque<String> waiting = new ArrayDeque<>(List.of(INDEX));
        while (!waiting.isEmpty()) {
            String path = waiting.removeFirst();
            if (documents.containsKey(path)) {
                continue;
            }
            Markdown document = Markdown.parse(SitePath.of(path), Files.readString(root.resolve(path)), root);
            documents.put(path, document);
            List<String> targets = new ArrayList<>(document.linkedFiles());
            targets.forEach(target -> {
                if (target.endsWith(".md")) {
                    waiting.addLast(target);
                } else {
                    sources.add(target);
                }
            });
            images.addAll(document.images());
        }
    }

    private void write(String page, String content) throws IOException {
        Path file = output.resolve(page);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, content);
    }

    private void copy(InputStream content, String page) throws IOException {
        Path file = output.resolve(page);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        try (content) {
            Files.write(file, content.readAllBytes());
        }
    }
}
