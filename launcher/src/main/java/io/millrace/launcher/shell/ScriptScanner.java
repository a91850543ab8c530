package io.millrace.launcher.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Splits text into statements, which end with a semicolon, and commands of the shell, which begin with a backslash and
 * end with their line. Semicolons in strings, backticks and comments do not count. Lines are fed one after the other.
 */
final class ScriptScanner {

    /**
     * A statement without its semicolon, or a command.
     *
     * @param line the line of the text on which it begins, from 1
     */
    record Piece(String text, int line) {
        boolean isCommand() {
            return text.startsWith("\\");
        }
    }

    private enum State {
        CODE,
        SINGLE_QUOTES,
        DOUBLE_QUOTES,
        BACKTICKS,
        COMMENT
    }

    private final StringBuilder text = new StringBuilder();
    private State state = State.CODE;
    private boolean started;
    private boolean escaped;
    private int line;
    private int startLine;

    /** Returns the pieces of a complete text, including a last statement without a semicolon. */
    static List<Piece> pieces(String text) {
        ScriptScanner scanner = new ScriptScanner();
        List<Piece> pieces = new ArrayList<>();
        text.lines().forEach(line -> pieces.addAll(scanner.feed(line)));
        scanner.end().ifPresent(pieces::add);
        return pieces;
    }

    /** Returns whether the text ends within a statement or a comment. */
    static boolean isUnfinished(String text) {
        ScriptScanner scanner = new ScriptScanner();
        text.lines().forEach(scanner::feed);
        return scanner.started || scanner.state == State.COMMENT;
    }

    /** Returns what ends on this line, which has no line break. */
    List<Piece> feed(String next) {
        line++;
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < next.length(); i++) {
            char c = next.charAt(i);
            if (state != State.CODE) {
                i += inside(next, i, c);
            } else if (c == '#' || next.startsWith("--", i)) {
                append(next.substring(i)); // a comment up to the end of the line
                break;
            } else if (next.startsWith("/*", i)) {
                state = State.COMMENT;
                append("/*");
                i++;
            } else if (c == '\\' && !started) {
                pieces.add(new Piece(next.substring(i).strip(), line));
                break;
            } else if (c == ';') {
                end().ifPresent(pieces::add);
            } else {
                code(c);
            }
        }
        escaped = false;
        append("\n");
        return pieces;
    }

    /** Returns the statement that has not ended with a semicolon, if there is one. */
    Optional<Piece> end() {
        Optional<Piece> last = started ? Optional.of(new Piece(text.toString().strip(), startLine)) : Optional.empty();
        started = false;
        state = State.CODE;
        text.setLength(0);
        return last;
    }

    private void code(char c) {
        if (!started && Character.isWhitespace(c)) {
            return;
        }
        if (!started) {
            started = true;
            startLine = line;
        }
        state = switch (c) {
            case '\'' -> State.SINGLE_QUOTES;
            case '"' -> State.DOUBLE_QUOTES;
            case '`' -> State.BACKTICKS;
            default -> State.CODE;
        };
        append(String.valueOf(c));
    }

    /** Handles a character of a string, name or comment; returns how many more characters it took. */
    private int inside(String next, int at, char c) {
        append(String.valueOf(c));
        if (state == State.COMMENT) {
            if (next.startsWith("*/", at)) {
                append("/");
                state = State.CODE;
                return 1;
            }
        } else if (escaped) {
            escaped = false;
        } else if (c == '\\' && state != State.BACKTICKS) {
            escaped = true;
        } else if (c == closing()) {
            state = State.CODE; // a doubled quote closes the string and opens it again
        }
        return 0;
    }

    private char closing() {
        return switch (state) {
            case SINGLE_QUOTES -> '\'';
            case DOUBLE_QUOTES -> '"';
            default -> '`';
        };
    }

    /** Keeps text of a statement; comments and spaces in front of it are dropped, so that its first line is its own. */
    private void append(String piece) {
        if (started) {
            text.append(piece);
        }
    }
}
