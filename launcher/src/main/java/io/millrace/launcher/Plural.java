package io.millrace.launcher;

import java.util.Locale;

/** A number of things in words. */
public final class Plural {

    private Plural() {}

    /** @param one what one of them is called; several have an s at the end */
    public static String of(long count, String one) {
        return String.format(Locale.ROOT, "%,d %s%s", count, one, count == 1 ? "" : "s");
    }
}
