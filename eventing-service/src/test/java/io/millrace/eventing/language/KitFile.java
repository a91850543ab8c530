package io.millrace.eventing.language;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Handlers with what they must do, as a text: {@code == name document} begins a case, its code follows, and lines that
 * begin with {@code --} say what comes of it.
 *
 * @param language the language compatibility of all handlers
 */
record KitFile(String name, String language, List<Case> cases) {

    /**
     * @param document the source document that the handler gets, see {@link KitSource}
     * @param expected lines behind {@code --}
     */
    record Case(String name, String document, String code, List<String> expected) {}

    static KitFile read(String name) {
        try (InputStream in = Objects.requireNonNull(KitFile.class.getResourceAsStream("/language/" + name), name)) {
            return parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KitFile parse(String name, String text) {
        String language = "7.2.0";
        List<Case> cases = new ArrayList<>();
        @Nullable String title = null;
        StringBuilder code = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            if (line.startsWith("== ")) {
                add(cases, title, code, expected);
                title = line.substring(3);
                code = new StringBuilder();
                expected = new ArrayList<>();
            } else if (title == null) {
                language = line.startsWith("language ") ? line.substring("language ".length()) : language;
            } else if (line.startsWith("-- ")) {
                expected.add(line.substring(3));
            } else {
                code.append(line).append('\n');
            }
        }
        add(cases, title, code, expected);
        return new KitFile(name, language, cases);
    }

    private static void add(List<Case> cases, @Nullable String title, StringBuilder code, List<String> expected) {
        if (title != null) {
            int blank = title.indexOf(' ');
            String name = blank < 0 ? title : title.substring(0, blank);
            String document = blank < 0 ? "{\"n\":1}" : title.substring(blank + 1);
            cases.add(new Case(name, document, code.toString().stripTrailing(), List.copyOf(expected)));
        }
    }

    /**
     * Returns one function that runs the case which a document's id names behind a slash, and keeps its result; where
     * that is {@code 'not yet'}, a later change of the document has to bring one.
     */
    static String handler(List<Case> cases) {
        StringBuilder code = new StringBuilder("""
                function OnUpdate(doc, meta, xattrs) {
                  var result = {};
                  try {
                    var value = run(doc, meta, xattrs);
                    if (value === 'not yet') { return; }
                    if (value === undefined) { result.nothing = true; } else { result.value = value; }
                  } catch (e) {
                    result.error = e.name;
                    result.message = typeof e.message === 'string' ? e.message : JSON.stringify(e.message);
                  }
                  results[meta.id] = result;
                }
                """);
        code.append("function run(doc, meta, xattrs) {\nswitch (meta.id.split('/')[1]) {\n");
        cases.forEach(one -> code.append("case '%1$s': return case_%1$s(doc, meta, xattrs);\n".formatted(one.name())));
        code.append("}\n}\n");
        cases.forEach(
                one -> code.append("function case_%s(doc, meta, xattrs) {\n%s\n}\n".formatted(one.name(), one.code())));
        return code.toString();
    }
}
