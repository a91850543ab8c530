package io.millrace.handler.code;

import io.millrace.handler.QueryLanguage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Finds text in JavaScript that may be a N1QL statement. Reads just enough JavaScript to tell words from strings,
 * templates, comments and regular expressions.
 */
final class StatementFinder {

    /** The position of a statement. */
    enum Place {
        STATEMENT,
        ASSIGNED,
        ELSEWHERE
    }

    /**
     * What may be a statement.
     *
     * @param start of its verb
     * @param end behind its last character; with {@code closed} its semicolon is there
     * @param reading how the language reads it
     */
    record Candidate(int start, int end, boolean closed, Place place, String text, QueryLanguage.Reading reading) {}

    /**
     * A text that is handed to one of the functions that run statements.
     *
     * @param start of the literal, with its quotation mark
     */
    record Literal(String callee, int start, int end, String text) {}

    /** By verb, the word that must follow it; empty where anything may follow that JavaScript does not allow there. */
    private static final Map<String, Set<String>> VERBS = Map.ofEntries(
            Map.entry("advise", Set.of()),
            Map.entry("alter", Set.of("index")),
            Map.entry("build", Set.of("index")),
            Map.entry("create", Set.of("index", "primary")),
            Map.entry("delete", Set.of("from")),
            Map.entry("drop", Set.of("index", "primary")),
            Map.entry("execute", Set.of()),
            Map.entry("explain", Set.of()),
            Map.entry("from", Set.of()),
            Map.entry("grant", Set.of()),
            Map.entry("infer", Set.of()),
            Map.entry("insert", Set.of("into")),
            Map.entry("merge", Set.of("into")),
            Map.entry("prepare", Set.of()),
            Map.entry("rename", Set.of()),
            Map.entry("revoke", Set.of()),
            Map.entry("select", Set.of()),
            Map.entry("update", Set.of()),
            Map.entry("upsert", Set.of("into")),
            Map.entry("with", Set.of()));

    private static final Set<String> BEFORE_EXPRESSION = Set.of(
            "return",
            "typeof",
            "case",
            "in",
            "of",
            "delete",
            "void",
            "throw",
            "new",
            "else",
            "do",
            "instanceof",
            "yield",
            "await");

    private static final Set<String> CALLEES = Set.of("N1QL", "n1qlQuery", "N1qlQuery");

    private final String code;
    private final boolean firstDesign;
    private final QueryLanguage language;
    private final List<Candidate> candidates = new ArrayList<>();
    private final List<Literal> literals = new ArrayList<>();
    /** How many braces are open in each template's substitution that is being read. */
    private final Deque<Integer> templates = new ArrayDeque<>();

    private int at;
    private String last = "";
    private String beforeLast = "";
    private boolean newline;

    private StatementFinder(String code, boolean firstDesign, QueryLanguage language) {
        this.code = code;
        this.firstDesign = firstDesign;
        this.language = language;
    }

    static StatementFinder of(String code, boolean firstDesign, QueryLanguage language) {
        var finder = new StatementFinder(code, firstDesign, language);
        while (finder.at < code.length()) {
            finder.token();
        }
        return finder;
    }

    /** Returns what was found, in the order of the code. */
    List<Candidate> candidates() {
        return candidates;
    }

    List<Literal> literals() {
        return literals;
    }

    private char charAt(int index) {
        return index < code.length() ? code.charAt(index) : '\0';
    }

    private void token() {
        char c = code.charAt(at);
        if (c == '\n' || c == '\r') {
            newline = true;
            at++;
        } else if (Character.isWhitespace(c)) {
            at++;
        } else if (c == '/' && charAt(at + 1) == '/') {
            at = lineEnd(code, at);
        } else if (c == '/' && charAt(at + 1) == '*') {
            int end = skipTo(code, "*/", at + 2);
            newline |= code.substring(at, end).indexOf('\n') >= 0;
            at = end;
        } else if (c == '"' || c == '\'') {
            literal(stringEnd(at));
        } else if (c == '`') {
            int begin = at++;
            template(begin);
        } else if (Character.isJavaIdentifierStart(c) || c == '\\' || c == '#') {
            word();
        } else if (Character.isDigit(c)) {
            at = wordEnd(at);
            passed("0");
        } else if (c == '/' && expressionMayStart()) {
            at = regexEnd(at);
            passed("0");
        } else {
            punctuation(c);
        }
    }

    private void passed(String token) {
        beforeLast = last;
        last = token;
        newline = false;
    }

    private boolean expressionMayStart() {
        return last.isEmpty()
                || BEFORE_EXPRESSION.contains(last)
                || !Character.isJavaIdentifierPart(last.charAt(0)) && !last.equals(")") && !last.equals("]");
    }

    private void punctuation(char c) {
        if (c == '{' && !templates.isEmpty()) {
            templates.push(templates.pop() + 1);
        } else if (c == '}' && !templates.isEmpty()) {
            int open = templates.pop();
            if (open == 0) {
                at++;
                template(-1);
                return;
            }
            templates.push(open - 1);
        }
        boolean assigns = c == '='
                && "=!<>+-*/%&|^?".indexOf(at == 0 ? ' ' : code.charAt(at - 1)) < 0
                && charAt(at + 1) != '='
                && charAt(at + 1) != '>';
        at++;
        passed(c == '=' && !assigns ? "==" : String.valueOf(c));
    }

    /** Reads on in a template; {@code begin} is where it began when nothing has been substituted in it yet. */
    private void template(int begin) {
        while (at < code.length()) {
            char c = code.charAt(at++);
            if (c == '\\') {
                at++;
            } else if (c == '`') {
                int end = at;
                at = begin < 0 ? end : begin;
                literal(end);
                return;
            } else if (c == '$' && charAt(at) == '{') {
                at++;
                templates.push(0);
                passed("{");
                return;
            }
        }
    }

    /** Skips a string, or a template without substitutions, at the current position. */
    private void literal(int end) {
        if (last.equals("(") && CALLEES.contains(beforeLast) && at < end) {
            literals.add(new Literal(beforeLast, at, end, unescaped(at + 1, Math.max(at + 1, end - 1))));
        }
        at = end;
        passed("0");
    }

    private String unescaped(int from, int to) {
        try {
            return code.substring(from, to).replace("\\\n", "").translateEscapes();
        } catch (IllegalArgumentException e) {
            return code.substring(from, to);
        }
    }

    private void word() {
        int end = wordEnd(at);
        String word = code.substring(at, end);
        boolean member = last.equals(".") && !beforeLast.equals(".");
        if (!member && beginsStatement(word, end)) {
            var candidate = candidate(end);
            candidates.add(candidate);
            if (candidate.reading() instanceof QueryLanguage.Statement) {
                at = candidate.end();
                passed("0");
                return;
            }
        }
        at = end;
        passed(word);
    }

    private boolean beginsStatement(String word, int end) {
        Set<String> followers = VERBS.get(word.toLowerCase(Locale.ROOT));
        if (followers == null) {
            return false;
        }
        int next = skipSpace(end);
        if (!followers.isEmpty()) {
            return followers.contains(code.substring(next, wordEnd(next)).toLowerCase(Locale.ROOT));
        }
        char c = charAt(next);
        return Character.isJavaIdentifierStart(c)
                || c == '`'
                || next > end && (Character.isDigit(c) || "*\"'([{:$@?".indexOf(c) >= 0);
    }

    private Candidate candidate(int from) {
        int end = from;
        int depth = 0;
        while (end < code.length()) {
            char c = code.charAt(end);
            if (c == ';' || depth == 0 && (c == ')' || c == ']' || c == '}')) {
                break;
            }
            depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
            end = N1qlText.skip(code, end);
        }
        boolean closed = charAt(end) == ';';
        String text = code.substring(at, end);
        String statement = firstDesign ? N1qlText.unquotedVariables(text) : text;
        return new Candidate(at, end, closed, place(), statement, language.read(statement));
    }

    private Place place() {
        return switch (last) {
            case "", ";", "{", "}", ")", ":", "else", "do" -> Place.STATEMENT;
            case "=" -> Place.ASSIGNED;
            default -> newline && !expressionMayStart() ? Place.STATEMENT : Place.ELSEWHERE;
        };
    }

    private int skipSpace(int from) {
        int i = from;
        while (i < code.length() && Character.isWhitespace(code.charAt(i))) {
            i++;
        }
        return i;
    }

    private int wordEnd(int from) {
        int i = from;
        while (i < code.length()
                && (Character.isJavaIdentifierPart(code.charAt(i)) || "\\#".indexOf(code.charAt(i)) >= 0)) {
            i++;
        }
        return i;
    }

    private int stringEnd(int from) {
        char quote = code.charAt(from);
        int i = from + 1;
        while (i < code.length() && code.charAt(i) != quote && code.charAt(i) != '\n') {
            i += code.charAt(i) == '\\' ? 2 : 1;
        }
        return Math.min(i + 1, code.length());
    }

    private int regexEnd(int from) {
        boolean inClass = false;
        int i = from + 1;
        while (i < code.length() && code.charAt(i) != '\n' && (inClass || code.charAt(i) != '/')) {
            char c = code.charAt(i);
            inClass = c == '[' || inClass && c != ']';
            i += c == '\\' ? 2 : 1;
        }
        return wordEnd(Math.min(i + 1, code.length()));
    }

    static int lineEnd(String text, int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }

    static int skipTo(String text, String mark, int from) {
        int found = text.indexOf(mark, from);
        return found < 0 ? text.length() : found + mark.length();
    }
}
