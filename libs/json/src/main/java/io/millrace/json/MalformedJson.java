package io.millrace.json;

/** Says where a text stops being JSON and why. Any client may cause it, so it carries no stack trace. */
public final class MalformedJson extends Exception {

    private static final long serialVersionUID = 1L;

    private final String detail;
    private final int line;
    private final int column;
    private final boolean tooDeep;

    private MalformedJson(String detail, int line, int column, boolean tooDeep) {
        super("%s at line %d, column %d".formatted(detail, line, column), null, false, false);
        this.detail = detail;
        this.line = line;
        this.column = column;
        this.tooDeep = tooDeep;
    }

    static MalformedJson at(byte[] text, int start, int offset, String detail, boolean tooDeep) {
        int line = 1;
        int column = 1;
        for (int i = start; i < offset; i++) {
            if (text[i] == '\n') {
                line++;
                column = 1;
            } else if ((text[i] & 0xc0) != 0x80) {
                column++;
            }
        }
        return new MalformedJson(detail, line, column, tooDeep);
    }

    /** What is wrong, without the position. */
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

    /** Whether the text was well-formed up to here and is nested deeper than {@link JsonLimits#MAX_DEPTH_LEVELS}. */
    public boolean tooDeep() {
        return tooDeep;
    }
}
