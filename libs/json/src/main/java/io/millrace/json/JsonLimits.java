package io.millrace.json;

/** The limits of JSON text, each with its unit. */
public final class JsonLimits {

    /** How deep arrays and objects may be nested in a JSON document, in levels; the same as Jackson's default. */
    public static final int MAX_DEPTH_LEVELS = 500;

    private JsonLimits() {}
}
