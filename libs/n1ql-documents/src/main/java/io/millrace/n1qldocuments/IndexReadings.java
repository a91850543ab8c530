package io.millrace.n1qldocuments;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Definitions of indexes that have been read, by name and text: every statement asks for those of its keyspaces. */
final class IndexReadings {

    private static final int MOST = 1000;

    private record Entry(String name, String text) {}

    private final Map<Entry, IndexTexts.Kept> known = new ConcurrentHashMap<>();

    IndexTexts.Kept get(String name, String text) {
        if (known.size() >= MOST) {
            known.clear();
        }
        return known.computeIfAbsent(new Entry(name, text), entry -> IndexTexts.read(name, text));
    }
}
