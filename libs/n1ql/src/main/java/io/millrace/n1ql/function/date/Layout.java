package io.millrace.n1ql.function.date;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A format that reads and writes dates. */
final class Layout {

    private final List<LayoutItem> items;
    private final int length;

    Layout(List<LayoutItem> items, int length) {
        this.items = items;
        this.length = length;
    }

    /** Reads a date that is in this format to its last character; null when it is not. */
    public @Nullable ZonedDateTime read(String text, ZoneId zone) {
        return new LayoutReader(text, items).read(zone);
    }

    public String write(ZonedDateTime date) {
        return LayoutWriter.write(date, items);
    }

    /** Returns the number of characters of the format's own text. */
    int length() {
        return length;
    }

    List<LayoutItem> items() {
        return items;
    }
}
