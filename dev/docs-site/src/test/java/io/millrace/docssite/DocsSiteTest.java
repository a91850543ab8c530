package io.millrace.docssite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.junit.jupiter.api.Test;

/** The pages as this build has made them. */
class DocsSiteTest {

    private static final Path PAGES = Path.of("target/classes/static/docs").toAbsolutePath();
    private static final Path REPOSITORY = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

    @Test
    void everyPage_isReachableFromTheIndex() throws IOException {
        Set<Path> reached = new HashSet<>();
        Deque<Path> waiting = new ArrayDeque<>(List.of(PAGES.resolve("index.html")));
        while (!waiting.isEmpty()) {
            Path page = waiting.removeFirst();
            if (reached.add(page)) {
                for (String link : links(page)) {
                    Path target = target(page, link);
                    if (target.toString().endsWith(".html") && target.startsWith(PAGES)) {
                        waiting.addLast(target);
                    }
                }
            }
        }

        assertThat(reached).containsExactlyInAnyOrderElementsOf(pages());
        assertThat(reached).hasSizeGreaterThan(40);
    }

    @Test
    void everyDocumentOfDocs_hasAPage() throws IOException {
        try (Stream<Path> files = Files.walk(REPOSITORY.resolve("docs"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".md")).toList())
                    .isNotEmpty()
                    .allSatisfy(file -> {
                        String name = REPOSITORY.relativize(file).toString();
                        assertThat(PAGES.resolve(SitePath.of(name).page())).exists();
                    });
        }
    }

    @Test
    void everyLink_leadsToAPageAndAPlaceOnIt() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (String link : links(page)) {
                Path target = target(page, link);
                if (!target.startsWith(PAGES)) {
                    // files of the gateway, whose own test looks for them
                    assertThat(PAGES.getParent()).isEqualTo(target.getParent());
                } else if (!Files.exists(target) || !hasPlace(target, link)) {
                    broken.add(PAGES.relativize(page) + " -> " + link);
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void pages_loadNothingFromElsewhere() throws IOException {
        for (Path page : pages()) {
            assertThat(Files.readString(page))
                    .doesNotContainPattern("<(script|link|img)[^>]+(src|href)=\"(https?:)?//");
        }
        assertThat(Files.readString(PAGES.resolve("docs.css"))).doesNotContainPattern("@import|url\\(");
    }

    @Test
    void pictures_whichScrollOnNarrowPages_areReachedByKeyboard() throws IOException {
        assertThat(Files.readString(PAGES.resolve("reference/console.html"))).contains("<p tabindex=\"0\"><img ");
    }

    @Test
    void search_ofWords_findsTheirSection() throws IOException {
        assertThat(search("checkpoint saved")).contains("explanation/where-things-happen.html#functions");
        assertThat(search("MAX_DOCUMENT_BYTES").getFirst()).startsWith("reference/limits.html");
        assertThat(search("redis cluster").getFirst()).startsWith("how-to/redis-cluster.html");
        assertThat(search("dead lett")).first().asString().startsWith("how-to/dead-letters.html");
        assertThat(search("qwzx")).isEmpty();
    }

    @Test
    void commands_haveTheAddressThatThePageCameFrom() throws IOException {
        String command =
                "curl localhost:8080/a http://localhost:8080/b 'http://127.0.0.1:8080' localhost:8081 x.localhost:8080";

        assertThat(addressed(command, "http:", "127.0.0.1:8180"))
                .isEqualTo("curl 127.0.0.1:8180/a http://127.0.0.1:8180/b 'http://127.0.0.1:8180' localhost:8081"
                        + " x.localhost:8080");
        assertThat(addressed(command, "https:", "db.example.com"))
                .startsWith("curl https://db.example.com/a https://db.example.com/b ");
    }

    private static String addressed(String command, String protocol, String host) throws IOException {
        try (Context context = Context.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .build()) {
            context.eval("js", Files.readString(PAGES.resolve("docs.js")));
            return context.eval("js", "addressed")
                    .execute(command, ProxyObject.fromMap(Map.of("protocol", protocol, "host", host)))
                    .asString();
        }
    }

    private static List<String> search(String query) throws IOException {
        try (Context context = Context.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .build()) {
            context.eval("js", Files.readString(PAGES.resolve("docs.js")));
            context.getBindings("js").putMember("json", Files.readString(PAGES.resolve("search.json")));
            context.getBindings("js").putMember("query", query);
            Value found =
                    context.eval("js", "search(JSON.parse(json), query).map(({page, anchor}) => `${page}#${anchor}`)");
            List<String> pages = new ArrayList<>();
            for (long i = 0; i < found.getArraySize(); i++) {
                pages.add(found.getArrayElement(i).asString());
            }
            return pages;
        }
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(PAGES)) {
            return files.filter(file -> file.toString().endsWith(".html")).toList();
        }
    }

    private static List<String> links(Path page) throws IOException {
        List<String> links = new ArrayList<>();
        Matcher link = LINK.matcher(Files.readString(page));
        while (link.find()) {
            if (!link.group(1).matches("[a-z]+:.*")) {
                links.add(link.group(1));
            }
        }
        return links;
    }

    private static Path target(Path page, String link) {
        String path = link.replaceFirst("#.*", "");
        return path.isEmpty() ? page : page.resolveSibling(path).normalize();
    }

    private static boolean hasPlace(Path target, String link) throws IOException {
        int hash = link.indexOf('#');
        return hash < 0 || Files.readString(target).contains("id=\"" + link.substring(hash + 1) + "\"");
    }
}
