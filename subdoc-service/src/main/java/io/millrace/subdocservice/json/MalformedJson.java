package io.millrace.subdocservice.json;

/** Says where a text stops being JSON, and what stood there. Expected of any client, so it carries no stack trace. */
public final class MalformedJson extends Exception {

    private static final long serialVersionUID = 1L;

    private final String detail;
    private final int line;
    private final int column;

    MalformedJson(String detail, int line, int column) {
        super("%s at line %d, column %d".formatted(detail, line, column), null, false, false);
        this.detail = detail;
        this.line = line;
        this.column = column;
    }

    /** What is wrong, without the place. */
    public String detail() {
        return detail;
    }

    /** The line, from 1; a line ends with U+000A. */
    public int line() {
        return line;
    }

    /** The character in the line, from 1. */
    public int column() {
        return column;
    }
}
