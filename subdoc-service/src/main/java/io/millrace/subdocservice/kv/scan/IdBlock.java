package io.millrace.subdocservice.kv.scan;

import io.millrace.documents.IdRange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The ids of one vbucket in a range: those that were read, each as a length and its bytes, and what has changed since. */
final class IdBlock {

    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING;
    private int used;
    private final Map<String, Boolean> changes = new TreeMap<>(IdRange::compare);

    /** Adds an id behind those that are there; it has at most 250 bytes. Returns how many bytes it takes. */
    int add(byte[] id) {
        if (used + id.length + 1 > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(64, 2 * (used + id.length + 1)));
        }
        bytes[used++] = (byte) id.length;
        System.arraycopy(id, 0, bytes, used, id.length);
        used += id.length;
        return id.length + 1;
    }

    /** Notes that a document has been written or deleted. */
    void change(String id, boolean there) {
        changes.put(id, there);
    }

    /** Returns the ids in the order of their bytes. */
    List<String> ids() {
        List<String> ids = new ArrayList<>();
        for (int at = 0; at < used; ) {
            int length = bytes[at] & 0xff;
            ids.add(new String(bytes, at + 1, length, StandardCharsets.UTF_8));
            at += length + 1;
        }
        if (changes.isEmpty()) {
            return ids;
        }
        Map<String, Boolean> merged = new TreeMap<>(IdRange::compare);
        ids.forEach(id -> merged.put(id, true));
        merged.putAll(changes);
        return merged.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toList();
    }
}
