package io.millrace.worker.sql;

import io.millrace.handler.host.HostFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement as JDBC takes it, with {@code ?} for each parameter. Values are never put into the text. What stands in
 * quotes and comments is not looked at.
 */
final class StatementText {

    private static final char NO_SIGN = '\0';

    private final String source;
    private final boolean named;
    private final Dialect dialect;
    private final StringBuilder text = new StringBuilder();
    private final List<String> names = new ArrayList<>();
    private int marks;
    private int at;

    private StatementText(String source, boolean named, Dialect dialect) {
        this.source = source;
        this.named = named;
        this.dialect = dialect;
    }

    /**
     * Reads a statement.
     *
     * @param named whether parameters are {@code :name}; otherwise they are {@code ?}
     * @throws HostFailure if it is more than one statement, or has both kinds of parameters
     */
    static StatementText of(String source, boolean named, Dialect dialect) throws HostFailure {
        StatementText statement = new StatementText(source, named, dialect);
        statement.read();
        return statement;
    }

    String text() {
        return text.toString();
    }

    /** Returns the names of its parameters, in their order in the text. */
    List<String> names() {
        return names;
    }

    /** Returns how many parameters by position it has. */
    int marks() {
        return marks;
    }

    private void read() throws HostFailure {
        boolean ended = false;
        while (at < source.length()) {
            int from = at;
            boolean comment = comment();
            if (!comment && ended && !Character.isWhitespace(sign(0))) {
                throw HostFailure.sqlError("42601", "sql runs one statement per call; call it once for each of them");
            }
            if (comment || quoted()) {
                text.append(source, from, at);
            } else if (sign(0) == ':') {
                colon();
            } else if (sign(0) == '?') {
                mark();
            } else {
                ended |= sign(0) == ';';
                text.append(sign(0));
                at++;
            }
        }
    }

    private char sign(int ahead) {
        return at + ahead < source.length() ? source.charAt(at + ahead) : NO_SIGN;
    }

    private void colon() {
        if (sign(1) == ':') {
            text.append("::"); // a cast
            at += 2;
        } else if (named && Character.isJavaIdentifierStart(sign(1)) && sign(1) != '$') {
            int begin = ++at;
            while (Character.isJavaIdentifierPart(sign(0)) && sign(0) != NO_SIGN) {
                at++;
            }
            names.add(source.substring(begin, at));
            text.append('?');
        } else {
            text.append(':');
            at++;
        }
    }

    /** By position, a doubled mark is an operator of PostgreSQL; by name, a single one is. */
    private void mark() throws HostFailure {
        boolean doubled = sign(1) == '?';
        if (named && dialect != Dialect.POSTGRESQL) {
            throw HostFailure.sqlError(
                    "07001", "The statement has a ?; pass its parameters as an array, or name each of them");
        }
        text.append(named || doubled ? "??" : "?");
        marks += named || doubled ? 0 : 1;
        at += doubled ? 2 : 1;
    }

    /** Goes to the end of the comment that begins here; returns false if none does. */
    private boolean comment() {
        if (sign(0) == '-' && sign(1) == '-') {
            end(source.indexOf('\n', at), 1);
            return true;
        }
        if (sign(0) != '/' || sign(1) != '*') {
            return false;
        }
        int depth = 1;
        at += 2;
        while (depth > 0 && at < source.length()) {
            boolean opens = sign(0) == '/' && sign(1) == '*' && dialect == Dialect.POSTGRESQL;
            boolean closes = sign(0) == '*' && sign(1) == '/';
            depth += opens ? 1 : closes ? -1 : 0;
            at += opens || closes ? 2 : 1;
        }
        return true;
    }

    /** Goes to the end of the literal or quoted identifier that begins here; returns false if none does. */
    private boolean quoted() {
        char quote = sign(0);
        if (quote == '\'' || quote == '"' || quote == '`' && dialect != Dialect.POSTGRESQL) {
            boolean escapes = quote == '\'' && dialect == Dialect.POSTGRESQL && escapes();
            at++;
            while (at < source.length() && sign(0) != quote) {
                at += escapes && sign(0) == '\\' ? 2 : 1;
            }
            at = Math.min(at + 1, source.length());
            return true; // a doubled quote is read as two literals next to each other
        }
        return quote == '$' && dialect == Dialect.POSTGRESQL && !follows() && dollarQuoted();
    }

    /** Returns whether an {@code E} stands before the quote, which gives backslashes a meaning. */
    private boolean escapes() {
        boolean sign = at > 0 && Character.toUpperCase(source.charAt(at - 1)) == 'E';
        return sign && (at == 1 || !Character.isJavaIdentifierPart(source.charAt(at - 2)));
    }

    /** Returns whether an identifier ends here, of which the sign is a part. */
    private boolean follows() {
        return at > 0 && Character.isJavaIdentifierPart(source.charAt(at - 1));
    }

    private boolean dollarQuoted() {
        int begin = at + 1;
        int end = begin;
        while (end < source.length()
                && Character.isJavaIdentifierPart(source.charAt(end))
                && source.charAt(end) != '$'
                && !(end == begin && Character.isDigit(source.charAt(end)))) {
            end++;
        }
        if (end >= source.length() || source.charAt(end) != '$') {
            return false;
        }
        String tag = source.substring(at, end + 1);
        end(source.indexOf(tag, end + 1), tag.length());
        return true;
    }

    private void end(int found, int length) {
        at = found < 0 ? source.length() : found + length;
    }
}
