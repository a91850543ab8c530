package io.millrace.handler.code;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the import declarations at the top of a handler. The engine cannot read them there, because a handler is a
 * script; in libraries, which are modules, it does.
 */
final class Imports {

    /** The global object that has the namespaces of the imported libraries while a handler is loaded. */
    static final String NAMESPACES = "millraceLibraries";

    private static final int NONE = -1;

    private final String code;
    private final List<Import> found = new ArrayList<>();
    private int at;

    /**
     * One declaration.
     *
     * @param start where it begins in the code
     * @param end behind its semicolon, if it has one
     * @param specifier what it imports from
     * @param targets what it declares: patterns for the namespace of the library, in JavaScript
     * @param names the exports that it names
     */
    record Import(int start, int end, String specifier, List<String> targets, List<Name> names) {

        /** Returns what a script has in place of the declaration; it is on one line. */
        String script() {
            String namespace = "%s['%s']".formatted(NAMESPACES, specifier);
            var declarations =
                    targets.stream().map(target -> target + " = " + namespace).toList();
            return declarations.isEmpty() ? ";" : "const " + String.join(", ", declarations) + ';';
        }
    }

    /** @param offset in the code */
    record Name(String name, int offset) {}

    private Imports(String code) {
        this.code = code;
    }

    /** Returns the declarations before the first statement of another kind. */
    static List<Import> of(String code) {
        var imports = new Imports(code);
        imports.read();
        return List.copyOf(imports.found);
    }

    private void read() {
        while (true) {
            skip();
            int start = at;
            Import declaration = word().equals("import") ? declaration(start) : null;
            if (declaration == null) {
                return;
            }
            found.add(declaration);
        }
    }

    private @Nullable Import declaration(int start) {
        List<String> targets = new ArrayList<>();
        List<Name> names = new ArrayList<>();
        skip();
        String specifier = literal();
        if (specifier == null) {
            if (!clause(targets, names)) {
                return null;
            }
            skip();
            specifier = literal();
        }
        return specifier == null || specifier.indexOf('\'') >= 0 || !ends()
                ? null
                : new Import(start, at, specifier, targets, names);
    }

    /** Reads {@code a, {b as c}} or the like and {@code from}. */
    private boolean clause(List<String> targets, List<Name> names) {
        int start = at;
        String first = word();
        if (!first.isEmpty()) {
            names.add(new Name("default", start));
            targets.add("{default: " + first + '}');
            skip();
        }
        if (first.isEmpty() || take(',')) {
            skip();
            boolean read = take('*') ? namespace(targets) : take('{') && named(targets, names);
            if (!read) {
                return false;
            }
        }
        skip();
        return word().equals("from");
    }

    private boolean namespace(List<String> targets) {
        skip();
        boolean as = word().equals("as");
        skip();
        String name = word();
        targets.add(name);
        return as && !name.isEmpty();
    }

    private boolean named(List<String> targets, List<Name> names) {
        List<String> members = new ArrayList<>();
        for (skip(); !take('}'); skip()) {
            int start = at;
            String name = word();
            if (name.isEmpty()) {
                return false;
            }
            names.add(new Name(name, start));
            skip();
            members.add(renamed(name));
            skip();
            if (!take(',') && !at('}')) {
                return false;
            }
        }
        targets.add("{" + String.join(", ", members) + '}');
        return true;
    }

    private String renamed(String name) {
        int before = at;
        if (word().equals("as")) {
            skip();
            return name + ": " + word();
        }
        at = before;
        return name;
    }

    /** Returns whether the declaration ends here: with a semicolon, a line or the code. */
    private boolean ends() {
        int before = at;
        while (at < code.length() && (code.charAt(at) == ' ' || code.charAt(at) == '\t')) {
            at++;
        }
        if (take(';')) {
            return true;
        }
        boolean ends = at == code.length() || "\r\n".indexOf(code.charAt(at)) >= 0 || code.startsWith("//", at);
        at = before;
        return ends;
    }

    private String word() {
        return taken(Character::isJavaIdentifierPart);
    }

    private String taken(IntPredicate part) {
        int start = at;
        while (at < code.length() && part.test(code.charAt(at))) {
            at++;
        }
        return code.substring(start, at);
    }

    /** Returns the content of the text literal that begins here; null, and stays here, if none does. */
    private @Nullable String literal() {
        if (!at('\'') && !at('"')) {
            return null;
        }
        int end = code.indexOf(code.charAt(at), at + 1);
        String content = end == NONE ? "\\" : code.substring(at + 1, end);
        if (content.indexOf('\\') >= 0 || content.indexOf('\n') >= 0) {
            return null;
        }
        at = end + 1;
        return content;
    }

    private boolean at(char wanted) {
        return at < code.length() && code.charAt(at) == wanted;
    }

    private boolean take(char wanted) {
        boolean taken = at(wanted);
        at += taken ? 1 : 0;
        return taken;
    }

    /** Skips white space and comments. */
    private void skip() {
        int before;
        do {
            before = at;
            taken(c -> Character.isWhitespace(c) || c == '\u00a0' || c == '\ufeff');
            if (code.startsWith("//", at)) {
                taken(c -> c != '\n');
            } else if (code.startsWith("/*", at)) {
                int end = code.indexOf("*/", at + 2);
                at = end == NONE ? code.length() : end + 2;
            }
        } while (at > before);
    }
}
