package io.millrace.n1qldocuments;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Caches decoded index definitions by name and text, because every statement needs those of its keyspaces. */
final class IndexDefinitionCache {

    private static final int MOST = 1000;

    private record Entry(String name, String text) {}

    private final Map<Entry, IndexDefinitionCodec.Kept> known = new ConcurrentHashMap<>();

    IndexDefinitionCodec.Kept get(String name, String text) {
        if (known.size() >= MOST) {
            known.clear();
        }
        return known.computeIfAbsent(new Entry(name, text), entry -> IndexDefinitionCodec.read(name, text));
    }
}
