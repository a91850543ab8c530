package io.millrace.access;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a role is granted on: everything, a bucket, a scope, a collection, or for roles that are about topics a topic. A missing
 * part means all of them, and nothing can follow a missing part.
 *
 * @param bucket the bucket or the topic, or null for everything
 * @param scope the scope, or null for all scopes of the bucket
 * @param collection the collection, or null for all collections of the scope
 */
public record Target(
        @Nullable String bucket,
        @Nullable String scope,
        @Nullable String collection) {

    /** The spelling of a part that means all of them. */
    public static final String ANY = "*";

    /** Everything but the buckets of the system. */
    public static final Target EVERYTHING = new Target(null, null, null);

    private static final char SEPARATOR = ':';
    private static final int MAX_PARTS = 3;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.%+()$/~-]{1,251}");

    /** @throws IllegalArgumentException if a part follows a missing one or is not a name */
    public Target {
        if ((bucket == null && scope != null) || (scope == null && collection != null)) {
            throw new IllegalArgumentException("A target cannot name a part below '*'");
        }
        for (String part : new String[] {bucket, scope, collection}) {
            if (part != null && !NAME.matcher(part).matches()) {
                throw new IllegalArgumentException("'" + part + "' is not the name of a bucket, scope or collection");
            }
        }
    }

    /** Returns a bucket with all that is in it. */
    public static Target bucket(String bucket) {
        return new Target(bucket, null, null);
    }

    /**
     * Reads {@code bucket}, {@code bucket:scope} or {@code bucket:scope:collection}; each part may be {@code *}.
     *
     * @throws IllegalArgumentException if the text is not a target
     */
    public static Target parse(String text) {
        String[] parts = text.split(String.valueOf(SEPARATOR), -1);
        if (parts.length > MAX_PARTS) {
            throw new IllegalArgumentException("'" + text + "' has more parts than bucket:scope:collection");
        }
        return new Target(part(parts, 0), part(parts, 1), part(parts, 2));
    }

    private static @Nullable String part(String[] parts, int index) {
        return index >= parts.length || parts[index].equals(ANY) ? null : parts[index];
    }

    /** Returns how many parts are named, from 0 for everything to 3 for one collection. */
    public int depth() {
        return (int) named().count();
    }

    /** Returns whether the whole resource is inside this target. */
    boolean covers(Resource resource) {
        return switch (resource) {
            case Resource.Cluster ignored -> bucket == null;
            case Resource.Topic(String topic) -> scope == null && matches(bucket, topic);
            case Resource.Bucket(String inBucket) -> scope == null && matches(bucket, inBucket);
            case Resource.Scope(String inBucket, String inScope) ->
                collection == null && matches(bucket, inBucket) && matches(scope, inScope);
            case Resource.Keyspace(String inBucket, String inScope, String inCollection) ->
                matches(bucket, inBucket) && matches(scope, inScope) && matches(collection, inCollection);
        };
    }

    /** Returns whether this target and the resource have something in common. */
    boolean touches(Resource resource) {
        return switch (resource) {
            case Resource.Cluster ignored -> true;
            case Resource.Bucket(String inBucket) -> matches(bucket, inBucket);
            case Resource.Scope(String inBucket, String inScope) ->
                matches(bucket, inBucket) && matches(scope, inScope);
            case Resource.Topic ignored -> covers(resource);
            case Resource.Keyspace ignored -> covers(resource);
        };
    }

    private static boolean matches(@Nullable String granted, String asked) {
        return granted == null || granted.equals(asked);
    }

    private Stream<String> named() {
        return Stream.of(bucket, scope, collection).filter(Objects::nonNull).map(Objects::requireNonNull);
    }

    /** Returns the spelling that {@link #parse} reads: the named parts, or {@code *}. */
    @Override
    public String toString() {
        List<String> parts = named().toList();
        return parts.isEmpty() ? ANY : parts.stream().collect(Collectors.joining(String.valueOf(SEPARATOR)));
    }
}
