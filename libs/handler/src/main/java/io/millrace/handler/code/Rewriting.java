package io.millrace.handler.code;

import io.millrace.handler.QueryLanguage;
import io.millrace.handler.QueryLanguage.Statement;
import io.millrace.handler.QueryLanguage.Unreadable;
import io.millrace.handler.code.StatementFinder.Candidate;
import io.millrace.handler.code.StatementFinder.Literal;
import io.millrace.handler.code.StatementFinder.Place;
import io.millrace.handler.documents.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A user's code in which calls replace the N1QL statements, and constants the imports. What replaces a text takes as many
 * lines and begins where it began, so positions before it and on other lines do not change; all others can be looked up.
 */
final class Rewriting {

    static final String MISPLACED =
            "A N1QL statement must be a statement of its own or the value assigned to a variable";
    static final String NOT_CLOSED = "A N1QL statement must end with a semicolon";

    /** @param end in the user's code; the replacement ends at {@code newEnd} in the text */
    private record Edit(int start, int end, int newStart, int newEnd) {}

    /** Text that looks like a statement but is not one. It is a mistake only if it is not JavaScript either. */
    record Suspect(Candidate candidate, String message, int offset) {}

    private final String original;
    private final List<Imports.Import> imports;
    private final boolean firstDesign;
    private final QueryLanguage language;
    private final Set<Candidate> dropped;
    private final StringBuilder text = new StringBuilder();
    private final List<Edit> edits = new ArrayList<>();
    private final List<Suspect> suspects = new ArrayList<>();
    private final List<String> statements = new ArrayList<>();
    private boolean queries;
    private int copied;

    private Rewriting(String original, boolean firstDesign, QueryLanguage language, Set<Candidate> dropped) {
        this.original = original;
        this.imports = Imports.of(original);
        this.firstDesign = firstDesign;
        this.language = language;
        this.dropped = dropped;
    }

    static Rewriting of(String code, boolean firstDesign, QueryLanguage language) {
        return of(code, firstDesign, language, Set.of());
    }

    /** Returns the same without one suspect, so that the text behind it can be checked. */
    Rewriting without(Suspect suspect) {
        Set<Candidate> more = new LinkedHashSet<>(dropped);
        more.add(suspect.candidate());
        return of(original, firstDesign, language, more);
    }

    private static Rewriting of(String code, boolean firstDesign, QueryLanguage language, Set<Candidate> dropped) {
        var rewriting = new Rewriting(code, firstDesign, language, dropped);
        rewriting.rewrite(StatementFinder.of(code, firstDesign, language));
        return rewriting;
    }

    private void rewrite(StatementFinder found) {
        for (Imports.Import declaration : imports) {
            replace(declaration.start(), declaration.end(), declaration.script());
        }
        List<Candidate> candidates = found.candidates();
        List<Literal> literals = found.literals();
        for (int c = 0, l = 0; c < candidates.size() || l < literals.size(); ) {
            boolean literal = c == candidates.size()
                    || l < literals.size()
                            && literals.get(l).start() < candidates.get(c).start();
            if (literal) {
                literal(literals.get(l++));
            } else {
                candidate(candidates.get(c++));
            }
        }
        text.append(original, copied, original.length());
    }

    private void candidate(Candidate candidate) {
        if (candidate.start() < copied) {
            return; // in one that has been dropped
        }
        if (dropped.contains(candidate)) {
            replace(candidate.start(), candidate.end(), "0");
            return;
        }
        switch (candidate.reading()) {
            case Unreadable unreadable ->
                suspects.add(new Suspect(
                        candidate,
                        unreadable.message(),
                        candidate.start() + offset(candidate.text(), unreadable.line(), unreadable.column())));
            case Statement read
            when firstDesign && candidate.place() == Place.ELSEWHERE ->
                suspects.add(new Suspect(candidate, MISPLACED, candidate.start()));
            case Statement read
            when !candidate.closed() -> suspects.add(new Suspect(candidate, NOT_CLOSED, candidate.end()));
            case Statement read -> {
                queries = true;
                statements.add(candidate.text());
                replace(candidate.start(), end(candidate), call(candidate.text(), read));
            }
        }
    }

    /** In the middle of an expression the semicolon belongs to the statement alone. */
    private int end(Candidate candidate) {
        int next = candidate.end() + 1;
        while (next < original.length() && Character.isWhitespace(original.charAt(next))) {
            next++;
        }
        boolean inside = next < original.length() && ")],".indexOf(original.charAt(next)) >= 0;
        return inside ? candidate.end() + 1 : candidate.end();
    }

    private String call(String statement, Statement read) {
        if (!firstDesign) {
            return "couchbase.n1qlQuery(%s, %s)".formatted(quoted(statement), variables(statement, read, '$'));
        }
        return "couchbase.n1qlStatement(%s, () => (%s))%s"
                .formatted(quoted(statement), variables(statement, read, ':'), read.select() ? "" : ".execQuery()");
    }

    private static String variables(String statement, Statement read, char sigil) {
        return N1qlText.names(statement, sigil).stream()
                .filter(name -> read.parameters().contains(name) && !Character.isDigit(name.charAt(0)))
                .map(name -> quoted(name) + ": " + name)
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private void literal(Literal literal) {
        if (literal.start() < copied) {
            return;
        }
        queries = true;
        if (!(language.read(literal.text()) instanceof Statement read)) {
            return;
        }
        statements.add(literal.text());
        if (firstDesign && literal.callee().equals("N1qlQuery")) {
            String values = variables(literal.text(), read, ':');
            if (!values.equals("{}")) {
                replace(
                        literal.start(),
                        literal.end(),
                        "couchbase.n1qlStatement(%s, () => (%s))".formatted(quoted(literal.text()), values));
            }
        }
    }

    private void replace(int start, int end, String replacement) {
        text.append(original, copied, start);
        int newStart = text.length();
        text.append(replacement);
        original.substring(start, end).chars().filter(c -> c == '\n').forEach(c -> text.append('\n'));
        edits.add(new Edit(start, end, newStart, text.length()));
        copied = end;
    }

    /** JSON is JavaScript. */
    private static String quoted(String text) {
        var quoted = new JsonWriter(text.length() + 2);
        quoted.string(text);
        return quoted.toString();
    }

    private static int offset(String text, int line, int column) {
        int start = 0;
        for (int i = 1; i < line; i++) {
            start = StatementFinder.lineEnd(text, start) + 1;
        }
        return Math.min(text.length(), start + Math.max(0, column - 1));
    }

    String text() {
        return text.toString();
    }

    String original() {
        return original;
    }

    /** Returns whether the code may run queries. */
    boolean usesQueries() {
        return queries || original.toLowerCase(Locale.ROOT).contains("n1ql");
    }

    /** Returns the statements that stand in the code, as they are run. */
    List<String> statements() {
        return statements.stream().distinct().toList();
    }

    /** Returns the import declarations. */
    List<Imports.Import> imports() {
        return imports;
    }

    /** Returns whether a position in the text is in what replaces an import declaration. */
    boolean isImport(int offset) {
        return edits.stream().limit(imports.size()).anyMatch(edit -> edit.newStart <= offset && offset < edit.newEnd);
    }

    /** Returns the place in the user's code of a place in the text. */
    int originalOffset(int offset) {
        int shift = 0;
        for (var edit : edits) {
            if (offset < edit.newStart) {
                break;
            }
            if (offset < edit.newEnd) {
                return edit.start;
            }
            shift = edit.end - edit.newEnd;
        }
        return offset + shift;
    }

    /** Returns whether a position in the text is in the user's own code and not in the replacement of a statement. */
    boolean isOriginal(int offset) {
        return edits.stream().noneMatch(edit -> edit.newStart < offset && offset < edit.newEnd);
    }

    /** Returns the suspect that contains a position of the user's code, if there is one. */
    Optional<Suspect> suspectAt(int offset) {
        return suspects.stream()
                .filter(suspect -> suspect.candidate().start() <= offset
                        && offset <= suspect.candidate().end() + 1)
                .findFirst();
    }

    /** Returns the first suspect that is a mistake even if it is JavaScript. */
    @Nullable
    Suspect firstMisplaced() {
        return suspects.stream()
                .filter(suspect -> suspect.message().equals(MISPLACED))
                .findFirst()
                .orElse(null);
    }
}
