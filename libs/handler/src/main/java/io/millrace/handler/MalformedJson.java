package io.millrace.handler;

/** Bytes that are no JSON text; an expected find, so without a stack trace. */
final class MalformedJson extends Exception {
    private static final long serialVersionUID = 1L;

    private MalformedJson(String message) {
        super(message, null, false, false);
    }

    static MalformedJson at(int offset, String what) {
        return new MalformedJson(what + " at byte " + offset);
    }

    static MalformedJson because(String what) {
        return new MalformedJson(what);
    }

    static MalformedJson tooDeep(int offset) {
        return at(offset, "Nested deeper than " + HandlerLimits.DOCUMENT_NESTING_LEVELS + " levels");
    }
}
