package io.millrace.benchmarks.subdoc;

import io.millrace.subdoc.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The measured operations, with the figures of the anchor for documents of the same shape: subjson b117ad3,
 * nanoseconds of CPU time, the new document of a mutation copied into one buffer.
 */
enum Row {
    GET_FIRST(Operation.GET, "head.a.b.c", "", 192, 192, 192),
    GET_MID(Operation.GET, "items[N].dim.w", "", 1_432, 18_714, 939_271),
    GET_LAST(Operation.GET, "tail.x.y.z", "", 2_233, 36_867, 1_864_500),
    GET_MISSING(Operation.GET, "nope", "", 2_181, 36_434, 1_844_974),
    GET_NEG(Operation.GET, "items[-1].sku", "", 2_198, 36_566, 1_840_366),
    COUNT(Operation.GET_COUNT, "items", "", 2_069, 36_253, 1_861_176),
    UPSERT_FIRST(Operation.DICT_UPSERT, "head.a.b.c", "7", 282, 662, 23_479),
    REPLACE_MID(Operation.REPLACE, "items[N].dim.w", "7", 1_529, 19_200, 985_418),
    UPSERT_LAST(Operation.DICT_UPSERT, "tail.x.y.z", "7", 2_358, 37_837, 1_924_730),
    PUSH_LAST(Operation.ARRAY_PUSH_LAST, "items", "7", 2_204, 37_305, 1_898_813),
    PUSH_FIRST(Operation.ARRAY_PUSH_FIRST, "items", "7", 515, 903, 24_664),
    INSERT_MID(Operation.ARRAY_INSERT, "items[N]", "7", 1_502, 19_203, 980_362),
    COUNTER(Operation.COUNTER, "counter", "5", 2_141, 36_905, 1_897_185),
    REMOVE_FIRST(Operation.REMOVE, "items[0]", "", 444, 834, 25_413),
    REMOVE_MID(Operation.REMOVE, "items[N]", "", 1_420, 18_933, 974_176),
    ADD_UNIQUE(Operation.ARRAY_ADD_UNIQUE, "items[N].tags", "\"new\"", 1_504, 19_420, 992_688),
    /** Sixteen paths from first to last in one lookup; the anchor scans the document for each. */
    LOOKUP_16(Operation.GET, "", "", 0, 0, 0);

    /** {@link #GET_LAST} after one long string and after many numbers. */
    static final Map<String, Integer> OTHER_ANCHORS = Map.of("text", 5_842, "numbers", 54_992);

    private final Operation operation;
    private final String path;
    private final String value;
    private final int small;
    private final int medium;
    private final int large;

    Row(Operation operation, String path, String value, int small, int medium, int large) {
        this.operation = operation;
        this.path = path;
        this.value = value;
        this.small = small;
        this.medium = medium;
        this.large = large;
    }

    static Row of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    Operation operation() {
        return operation;
    }

    String value() {
        return value;
    }

    String path(int items) {
        return path.replace("N", Integer.toString(items / 2));
    }

    /** Returns the nanoseconds of the anchor, or null if there is no figure. */
    @Nullable
    Integer anchor(String size) {
        int nanos = switch (size) {
            case "small" -> small;
            case "medium" -> medium;
            case "large" -> large;
            default -> this == GET_LAST ? OTHER_ANCHORS.getOrDefault(size, 0) : 0;
        };
        return nanos == 0 ? null : nanos;
    }

    static List<String> sixteenPaths(int items) {
        List<String> paths = new ArrayList<>(List.of("type", "head.a.b.c", "counter", "tail.x.y.z"));
        for (int i = 0; i < 6; i++) {
            paths.add("items[" + i * items / 6 + "].sku");
            paths.add("items[" + i * items / 6 + "].dim.w");
        }
        return paths;
    }
}
