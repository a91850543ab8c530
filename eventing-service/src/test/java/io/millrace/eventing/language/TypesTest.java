package io.millrace.eventing.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.functionfiles.Types;
import io.millrace.handler.Handler;
import io.millrace.handler.HandlerEngine;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.HandlerThread;
import io.millrace.handler.host.NoHost;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The declaration for editors, compared with the language that functions run in. */
class TypesTest {

    private static final Pattern MEMBER = Pattern.compile("(?m)^  (?:readonly )?(\\w+)[(:]");
    private static final Pattern GLOBAL = Pattern.compile("(?m)^declare (?:function|class|const) (\\w+)");

    private final String declaration = Types.declaration(JsonMapper.shared().createObjectNode());

    /** Runs code and returns what it logs. */
    private static List<String> logged(String statements) throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        CompletableFuture<Object> ended = new CompletableFuture<>();
        try (HandlerEngine engine = HandlerEngine.start(why -> {})) {
            HandlerSpec spec = new HandlerSpec(
                    "types",
                    "function OnUpdate(doc, meta) {}\nfunction OnDeploy(action) { " + statements + " }",
                    List.of(),
                    List.of(),
                    Duration.ofSeconds(30),
                    1L << 28,
                    false,
                    HandlerSpec.LanguageCompatibility.V7_2_0,
                    List.of());
            Handler handler = (Handler) engine.compile(spec);
            HandlerEngine.newThread("types", () -> {
                        try (HandlerThread thread = handler.open(new NoHost() {
                            @Override
                            public void log(LogLevel level, String line) {
                                lines.add(line);
                            }
                        })) {
                            ended.complete(thread.onDeploy("Deploy", Duration.ZERO, Duration.ofSeconds(30)));
                        } catch (RuntimeException | Error e) {
                            ended.completeExceptionally(e);
                        }
                    })
                    .start();
            ended.get();
        }
        return lines;
    }

    private static Set<String> found(Pattern pattern, String text) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    @Test
    void declaration_hasTheNamesOfTheLanguage() throws Exception {
        String couchbase = declaration.substring(declaration.indexOf("declare const couchbase"));
        Set<String> globals = found(GLOBAL, declaration);
        String probes = String.join(
                "; ",
                globals.stream()
                        .map(name -> "if (typeof %s === 'undefined') log('%s')".formatted(name, name))
                        .toList());

        List<String> lines = logged(
                "for (const name of Object.getOwnPropertyNames(couchbase)) if (name !== 'n1qlStatement') log(name); log('absent:'); "
                        + probes);

        int mark = lines.indexOf("\"absent:\"");
        assertThat(lines.subList(mark + 1, lines.size())).isEmpty();
        assertThat(lines.subList(0, mark).stream().map(line -> line.replace("\"", "")))
                .containsExactlyInAnyOrderElementsOf(found(MEMBER, couchbase));
        assertThat(globals).contains("log", "curl", "createTimer", "N1QL", "KVError");
    }
}
