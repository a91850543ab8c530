package io.millrace.couch.document;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The range of ids that a request to {@code _all_docs} asks for. */
record AllDocsRange(
        @Nullable String start, @Nullable String end, boolean inclusive, boolean descending, long skip, long limit) {

    static AllDocsRange of(QueryParameters query) {
        String key = text(query, "key", "key");
        Long skip = query.count("skip");
        Long limit = query.count("limit");
        return new AllDocsRange(
                key != null ? key : text(query, "startkey", "start_key"),
                key != null ? key : text(query, "endkey", "end_key"),
                !query.isFalse("inclusive_end"),
                query.isTrue("descending"),
                skip == null ? 0 : skip,
                limit == null ? Long.MAX_VALUE : limit);
    }

    private static @Nullable String text(QueryParameters query, String name, String otherName) {
        JsonNode value = query.json(query.get(name) == null ? otherName : name);
        return value == null ? null : value.asString("");
    }

    <V> Map<String, V> of(TreeMap<String, V> all) {
        NavigableMap<String, V> part = descending ? all.descendingMap() : all;
        if (start != null) {
            part = part.tailMap(start, true);
        }
        if (end != null) {
            part = part.headMap(end, inclusive);
        }
        Map<String, V> wanted = new LinkedHashMap<>();
        part.entrySet().stream().skip(skip).limit(limit).forEach(entry -> wanted.put(entry.getKey(), entry.getValue()));
        return wanted;
    }
}
