package io.millrace.subdocservice.pools;

import io.millrace.documents.VBuckets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The settings of a bucket in a request of an SDK. Those that Redis decides are checked, kept and shown again, so that a client
 * reads what it wrote; those that would change what is stored, and that Millrace does not have, are errors.
 *
 * @param settings by name, in the spelling in which they are shown
 * @param errors what is wrong with the request, by parameter; empty if nothing is
 */
record BucketForm(Map<String, String> settings, Map<String, String> errors) {

    static final String NAME = "name";
    static final String FLUSH = "flushEnabled";
    static final String QUOTA = "ramQuotaMB";
    static final String REPLICAS = "replicaNumber";
    static final String REPLICA_INDEX = "replicaIndex";
    static final String TYPE = "bucketType";
    static final String BACKEND = "storageBackend";
    static final String EVICTION = "evictionPolicy";
    static final String COMPRESSION = "compressionMode";
    static final String CONFLICTS = "conflictResolutionType";

    private static final String COUCHBASE = "couchbase";
    private static final String MEMBASE = "membase"; // its older name, which SDKs read
    private static final int MAX_QUOTA_MB = 1 << 30;
    private static final int MAX_REPLICAS = 3;

    /** What a bucket has whose settings say nothing else. */
    static final Map<String, String> DEFAULTS = Map.of(
            FLUSH, "0",
            QUOTA, "100",
            REPLICAS, "0",
            REPLICA_INDEX, "0",
            TYPE, MEMBASE,
            BACKEND, "couchstore",
            EVICTION, "fullEviction",
            COMPRESSION, "off",
            CONFLICTS, "seqno");

    private static final Map<String, Set<String>> WORDS = Map.of(
            TYPE, Set.of(COUCHBASE, MEMBASE, "ephemeral"),
            BACKEND, Set.of("couchstore", "magma"),
            EVICTION, Set.of("valueOnly", "fullEviction", "noEviction", "nruEviction"),
            COMPRESSION, Set.of("off", "passive", "active"),
            CONFLICTS, Set.of("seqno", "lww"));

    /** Settings that have only the values with which a bucket is as it is. */
    private static final Map<String, Set<String>> FIXED = Map.of(
            "numVBuckets", Set.of(Integer.toString(VBuckets.COUNT)),
            "maxTTL", Set.of("0"),
            "durabilityMinLevel", Set.of("none"),
            "historyRetentionCollectionDefault", Set.of("false"),
            "historyRetentionBytes", Set.of("0"),
            "historyRetentionSeconds", Set.of("0"));

    /** @param created whether the form creates a bucket, so that it needs a name */
    static BucketForm read(MultiValueMap<String, String> form, boolean created) {
        Map<String, String> settings = new LinkedHashMap<>();
        Map<String, String> errors = new TreeMap<>();
        if (created && (form.getFirst(NAME) == null || form.getFirst(NAME).isBlank())) {
            errors.put(NAME, "Bucket name needs to be specified");
        }
        form.toSingleValueMap().forEach((name, value) -> {
            String problem = name.equals(NAME) ? null : problem(name, value);
            if (problem != null) {
                errors.put(name, problem);
            } else if (DEFAULTS.containsKey(name)) {
                settings.put(name, shown(name, value));
            }
        });
        return new BucketForm(settings, errors);
    }

    private static @Nullable String problem(String name, String value) {
        if (WORDS.containsKey(name)) {
            Set<String> words = WORDS.get(name);
            return words.contains(value) ? null : "%s must be one of %s".formatted(name, sorted(words));
        }
        if (FIXED.containsKey(name)) {
            Set<String> only = FIXED.get(name);
            return only.contains(value) || value.isEmpty()
                    ? null
                    : "%s is not supported by Millrace; leave it out, or set it to %s".formatted(name, sorted(only));
        }
        return switch (name) {
            case FLUSH, REPLICA_INDEX -> flag(value) == null ? name + " must be 0 or 1" : null;
            case QUOTA -> number(name, value, 1, MAX_QUOTA_MB);
            case REPLICAS -> number(name, value, 0, MAX_REPLICAS);
            default -> "%s is not a setting of a bucket in Millrace; leave it out".formatted(name);
        };
    }

    private static String sorted(Set<String> words) {
        return String.join(", ", words.stream().sorted().toList());
    }

    private static @Nullable String number(String name, String value, int min, int max) {
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return null;
            }
        } catch (NumberFormatException e) {
            // falls through: the message is the same
        }
        return "%s must be a number from %d to %d".formatted(name, min, max);
    }

    private static @Nullable String flag(String value) {
        return switch (value) {
            case "1", "true" -> "1";
            case "0", "false" -> "0";
            default -> null;
        };
    }

    private static String shown(String name, String value) {
        if (name.equals(TYPE) && value.equals(COUCHBASE)) {
            return MEMBASE;
        }
        String flag = name.equals(FLUSH) || name.equals(REPLICA_INDEX) ? flag(value) : null;
        return flag == null ? value : flag;
    }
}
