package io.millrace.n1ql.function.date;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A format that parses and writes dates. */
final class Layout {

    private final List<LayoutItem> items;
    private final int length;

    Layout(List<LayoutItem> items, int length) {
        this.items = items;
        this.length = length;
    }

    /** Parses a date, or returns null if the whole text does not have this format. */
    public @Nullable ZonedDateTime read(String text, ZoneId zone) {
        return new LayoutReader(text, items).read(zone);
    }

    public String write(ZonedDateTime date) {
        return LayoutWriter.write(date, items);
    }

    /** Returns the length of the format in characters. */
    int length() {
        return length;
    }

    List<LayoutItem> items() {
        return items;
    }
}
