package io.millrace.handler.code;

import io.millrace.handler.sandbox.Sandbox;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/**
 * Makes JavaScript of TypeScript by replacing types with spaces: lines and columns stay as they are, so that neither messages
 * nor a debugger need a map. Types are not checked.
 */
public final class TypeScript {

    /** The parser, as the build takes it from its package. */
    private static final String PARSER = "typescript/";

    private static final List<String> MODULES = List.of(
            "index",
            "plugins/flow",
            "plugins/jsx/index",
            "plugins/jsx/xhtml",
            "plugins/types",
            "plugins/typescript",
            "tokenizer/index",
            "tokenizer/keywords",
            "tokenizer/readWord",
            "tokenizer/readWordTree",
            "tokenizer/state",
            "tokenizer/types",
            "traverser/base",
            "traverser/expression",
            "traverser/index",
            "traverser/lval",
            "traverser/statement",
            "traverser/util",
            "util/charcodes",
            "util/identifier",
            "util/whitespace");

    private TypeScript() {}

    /** What becomes of a text. */
    sealed interface Stripped {

        /** @param text as long as the TypeScript */
        record Code(String text) implements Stripped {}

        /** @param offset of the mistake, in characters from the start of the text */
        record Mistaken(String message, int offset) implements Stripped {}
    }

    /** Replaces the types of a text. The first call with an engine takes about a second. */
    static Stripped strip(Engine engine, String text) {
        try (Context context = Sandbox.context(engine)) {
            Value result = context.eval(Parser.SOURCE).execute(text);
            String first = result.getArrayElement(0).asString();
            return result.getArraySize() == 1
                    ? new Stripped.Code(first)
                    : new Stripped.Mistaken(
                            first,
                            Math.min(text.length(), result.getArrayElement(1).asInt()));
        }
    }

    /** Read when the first function in TypeScript is compiled. */
    private static final class Parser {

        private static final Source SOURCE = source();

        private static Source source() {
            var script = new StringBuilder(resource("typescript.js").stripTrailing()).append("({\n");
            for (String module : MODULES) {
                script.append('\'').append(module).append("': (exports, require) => {\n");
                script.append(resource(PARSER + module + ".js")).append("\n},\n");
            }
            return Sandbox.script("typescript.js", script.append("})").toString());
        }

        private static String resource(String file) {
            try (InputStream in = Objects.requireNonNull(TypeScript.class.getResourceAsStream(file), file)) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
