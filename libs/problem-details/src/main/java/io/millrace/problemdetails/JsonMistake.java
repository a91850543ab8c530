package io.millrace.problemdetails;

import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/** What is wrong with JSON that cannot be read, in words for a caller. */
public final class JsonMistake {

    /** The JSON parser quotes names of Java classes, which say nothing to a caller. */
    private static final Pattern CLASS_NAME = Pattern.compile("`(?:[a-z]\\w*\\.)+[A-Z][^`]*`");

    private JsonMistake() {}

    /** Returns the reason without a place in the text. */
    public static String of(JacksonException failure) {
        String reason = String.valueOf(failure.getOriginalMessage());
        return reason.startsWith("Trailing token")
                ? "The JSON value ends here, but more text follows"
                : CLASS_NAME.matcher(reason).replaceAll("a value");
    }
}
