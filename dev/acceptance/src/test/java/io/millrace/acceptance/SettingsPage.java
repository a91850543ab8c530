package io.millrace.acceptance;

import java.io.IOException;
import java.lang.reflect.Method;

/** The settings of functions, from their only table in the code. */
final class SettingsPage {

    private SettingsPage() {}

    static String markdown() {
        try (BuiltClasses classes = new BuiltClasses()) {
            Method table = classes.load("eventing-service", "Setting").getDeclaredMethod("table");
            table.setAccessible(true);
            return """
                    # Settings of functions

                    Settings are part of a function's definition, or changed with `POST /api/v1/functions/<name>/settings`.
                    Names, defaults and ranges are Couchbase's, with some of Millrace's own. This table is made from the code.

                    %s""".formatted(table.invoke(null));
        } catch (IOException | ReflectiveOperationException e) {
            throw new AssertionError("Cannot read the table of settings", e);
        }
    }
}
