package io.millrace.documents.store;

import static io.millrace.documents.DocumentsException.Code.BUCKET_EXISTS;
import static io.millrace.documents.DocumentsException.Code.COLLECTION_EXISTS;
import static io.millrace.documents.DocumentsException.Code.SCOPE_EXISTS;
import static io.millrace.documents.DocumentsException.Code.TOO_MANY_COLLECTIONS;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A bucket as the catalog keeps it. Immutable; each change returns a new descriptor or throws why it cannot be.
 *
 * @param nextCollection the number of the next collection; numbers are never used again, also not
 *     by a later bucket of the same name. A change of the scopes uses one, too
 * @param scopes the numbers of the collections by scope and name, in order of creation
 * @param sweeps the numbers of dropped collections whose documents may still be there
 * @param indexes what indexes there are, by the numbers of collections and by name; the texts mean nothing here
 * @param format the newest format of what is stored in the bucket, at most {@link #FORMAT} if this version can use it
 * @param dropped true when only the incarnation is remembered, for a bucket of the same name
 * @param settings what clients have noted about the bucket, by name; the texts mean nothing here
 */
public record BucketDescriptor(
        String name,
        int shards,
        long incarnation,
        int nextCollection,
        Map<String, Map<String, Integer>> scopes,
        List<Integer> sweeps,
        Map<Integer, Map<String, String>> indexes,
        Integer format,
        boolean dropped,
        Map<String, String> settings) {

    /**
     * The format that this version writes. It reads the one before as well, and rewrites a document when it changes it.
     *
     * <p>1: a document's header is a text, its CAS is its seqno. 2: the header is binary, with a CAS that is a time.
     */
    public static final int FORMAT = 2;

    @SuppressWarnings("NullAway") // entries that were written before there were indexes, settings or formats
    public BucketDescriptor {
        indexes = indexes == null ? Map.of() : indexes;
        settings = settings == null ? Map.of() : settings;
        format = format == null ? 1 : format;
    }

    /** Returns a new bucket; {@code former} is the one of that name that was dropped, if any. */
    public static BucketDescriptor create(String name, int shards, @Nullable BucketDescriptor former) {
        Checks.bucketName(name);
        Checks.shards(shards);
        if (former != null && !former.dropped) {
            throw DocumentsException.of(BUCKET_EXISTS, "There is a bucket '%s' already.".formatted(name));
        }
        long incarnation = former == null ? 0 : former.incarnation + 1;
        int number = former == null ? 0 : former.nextCollection;
        Map<String, Map<String, Integer>> scopes = Map.of(Keyspace.DEFAULT, Map.of(Keyspace.DEFAULT, number));
        return new BucketDescriptor(
                name, shards, incarnation, number + 1, scopes, List.of(), Map.of(), FORMAT, false, Map.of());
    }

    /**
     * Returns what this bucket becomes where it moves to; {@code former} is the one of that name that was dropped there, if
     * any.
     */
    public BucketDescriptor arriving(@Nullable BucketDescriptor former) {
        if (former != null && !former.dropped) {
            throw DocumentsException.of(BUCKET_EXISTS, "There is a bucket '%s' at the new place.".formatted(name));
        }
        long newest = former == null ? incarnation : Math.max(incarnation, former.incarnation);
        int next = former == null ? nextCollection : Math.max(nextCollection, former.nextCollection);
        return new BucketDescriptor(
                name, shards, newest + 1, next, scopes, List.of(), indexes, FORMAT, false, settings);
    }

    /** Returns this bucket with the collections of another. */
    public BucketDescriptor like(BucketDescriptor other) {
        int next = Math.max(nextCollection, other.nextCollection);
        return new BucketDescriptor(
                name, shards, incarnation, next, other.scopes, List.of(), other.indexes, FORMAT, false, other.settings);
    }

    /** Returns this bucket in the history that begins when writes may have been lost. */
    public BucketDescriptor branched() {
        return new BucketDescriptor(
                name, shards, incarnation + 1, nextCollection, scopes, sweeps, indexes, format, dropped, settings);
    }

    /** Returns this bucket as this version writes it. */
    public BucketDescriptor upgraded() {
        return new BucketDescriptor(
                name, shards, incarnation, nextCollection, scopes, sweeps, indexes, FORMAT, dropped, settings);
    }

    /** Returns whether a newer version of the program has written what this one cannot read. */
    public boolean newer() {
        return format > FORMAT;
    }

    public BucketDescriptor drop() {
        return new BucketDescriptor(
                name, shards, incarnation, nextCollection, scopes, sweeps, Map.of(), format, true, Map.of());
    }

    public BucketDescriptor withScope(String scope) {
        Checks.collectionName(scope);
        if (scopes.containsKey(scope)) {
            throw DocumentsException.of(SCOPE_EXISTS, "Bucket '%s' has a scope '%s' already.".formatted(name, scope));
        }
        return with(nextCollection + 1, with(scopes, scope, Map.of()), sweeps); // a number, so that the manifest grows
    }

    public BucketDescriptor withoutScope(String scope) {
        Checks.collectionName(scope);
        Collection<Integer> gone = collections(scope).values();
        return with(nextCollection + 1, without(scopes, scope), append(sweeps, gone));
    }

    public BucketDescriptor withCollection(Keyspace keyspace) {
        Checks.collectionName(keyspace.collection());
        Map<String, Integer> collections = collections(keyspace.scope());
        if (collections.containsKey(keyspace.collection())) {
            throw DocumentsException.of(COLLECTION_EXISTS, "There is a collection '%s' already.".formatted(keyspace));
        }
        if (numbers().size() >= Limits.MAX_COLLECTIONS_PER_BUCKET) {
            throw DocumentsException.of(
                    TOO_MANY_COLLECTIONS,
                    "Bucket '%s' has the %d collections that it may have."
                            .formatted(name, Limits.MAX_COLLECTIONS_PER_BUCKET));
        }
        Map<String, Integer> more = with(collections, keyspace.collection(), nextCollection);
        return with(nextCollection + 1, with(scopes, keyspace.scope(), more), sweeps);
    }

    public BucketDescriptor withoutCollection(Keyspace keyspace) {
        Checks.collectionName(keyspace.collection());
        int gone = collection(keyspace);
        Map<String, Integer> fewer = without(collections(keyspace.scope()), keyspace.collection());
        return with(nextCollection, with(scopes, keyspace.scope(), fewer), append(sweeps, List.of(gone)));
    }

    public Map<String, String> indexes(Keyspace keyspace) {
        return indexes.getOrDefault(collection(keyspace), Map.of());
    }

    public BucketDescriptor withIndex(Keyspace keyspace, String index, String definition) {
        return withIndexes(keyspace, with(indexes(keyspace), index, definition));
    }

    public BucketDescriptor withoutIndex(Keyspace keyspace, String index) {
        return withIndexes(keyspace, without(indexes(keyspace), index));
    }

    private BucketDescriptor withIndexes(Keyspace keyspace, Map<String, String> definitions) {
        Map<Integer, Map<String, String>> all = new LinkedHashMap<>(indexes);
        all.keySet().retainAll(numbers());
        all.put(collection(keyspace), definitions);
        return new BucketDescriptor(
                name,
                shards,
                incarnation,
                nextCollection,
                scopes,
                sweeps,
                Collections.unmodifiableMap(all),
                format,
                dropped,
                settings);
    }

    /** Returns this bucket with empty collections in place of those that it has, under the same names. */
    public BucketDescriptor flushed() {
        Map<String, Map<String, Integer>> fresh = new LinkedHashMap<>();
        Map<Integer, Map<String, String>> definitions = new LinkedHashMap<>();
        int next = nextCollection;
        for (Map.Entry<String, Map<String, Integer>> scope : scopes.entrySet()) {
            Map<String, Integer> collections = new LinkedHashMap<>();
            for (Map.Entry<String, Integer> former : scope.getValue().entrySet()) {
                definitions.put(next, indexes.getOrDefault(former.getValue(), Map.of()));
                collections.put(former.getKey(), next++);
            }
            fresh.put(scope.getKey(), Collections.unmodifiableMap(collections));
        }
        definitions.values().removeIf(Map::isEmpty);
        return new BucketDescriptor(
                name,
                shards,
                incarnation,
                next,
                Collections.unmodifiableMap(fresh),
                append(sweeps, numbers()),
                Collections.unmodifiableMap(definitions),
                format,
                dropped,
                settings);
    }

    /** Returns this bucket with other settings in place of those that it has. */
    public BucketDescriptor withSettings(Map<String, String> other) {
        return new BucketDescriptor(
                name, shards, incarnation, nextCollection, scopes, sweeps, indexes, format, dropped, Map.copyOf(other));
    }

    public BucketDescriptor swept(List<Integer> done) {
        List<Integer> left =
                sweeps.stream().filter(sweep -> !done.contains(sweep)).toList();
        return with(nextCollection, scopes, left);
    }

    /** Returns the number of a collection, or throws what is not there. */
    public int collection(Keyspace keyspace) {
        Integer number = collections(keyspace.scope()).get(keyspace.collection());
        if (number == null) {
            throw DocumentsException.collectionNotFound(keyspace);
        }
        return number;
    }

    Optional<Keyspace> keyspace(int collection) {
        for (Map.Entry<String, Map<String, Integer>> scope : scopes.entrySet()) {
            for (Map.Entry<String, Integer> entry : scope.getValue().entrySet()) {
                if (entry.getValue() == collection) {
                    return Optional.of(new Keyspace(name, scope.getKey(), entry.getKey()));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the numbers of all collections. */
    public List<Integer> numbers() {
        return scopes.values().stream()
                .flatMap(collections -> collections.values().stream())
                .toList();
    }

    public BucketInfo info() {
        Map<String, List<String>> names = new LinkedHashMap<>();
        scopes.forEach((scope, collections) -> names.put(scope, List.copyOf(collections.keySet())));
        Map<Keyspace, Integer> numbers = new HashMap<>();
        scopes.forEach((scope, collections) -> collections.forEach(
                (collection, number) -> numbers.put(new Keyspace(name, scope, collection), number)));
        // what has been created plus what has been dropped; a scope counts as it takes a number itself
        long manifest = 2L * nextCollection - numbers.size();
        Map<Keyspace, Map<String, String>> definitions = new HashMap<>();
        numbers.forEach((keyspace, number) -> {
            Map<String, String> own = indexes.getOrDefault(number, Map.of());
            if (!own.isEmpty()) {
                definitions.put(keyspace, own);
            }
        });
        return new BucketInfo(
                name,
                shards,
                incarnation,
                Collections.unmodifiableMap(names),
                Map.copyOf(numbers),
                Map.copyOf(definitions),
                manifest,
                settings);
    }

    private Map<String, Integer> collections(String scope) {
        Map<String, Integer> collections = scopes.get(scope);
        if (collections == null) {
            throw DocumentsException.scopeNotFound(name, scope);
        }
        return collections;
    }

    private BucketDescriptor with(int next, Map<String, Map<String, Integer>> newScopes, List<Integer> newSweeps) {
        return new BucketDescriptor(
                name, shards, incarnation, next, newScopes, newSweeps, indexes, format, dropped, settings);
    }

    private static <V> Map<String, V> with(Map<String, V> map, String key, V value) {
        Map<String, V> copy = new LinkedHashMap<>(map);
        copy.put(key, value);
        return Collections.unmodifiableMap(copy);
    }

    private static <V> Map<String, V> without(Map<String, V> map, String key) {
        Map<String, V> copy = new LinkedHashMap<>(map);
        copy.remove(key);
        return Collections.unmodifiableMap(copy);
    }

    private static List<Integer> append(List<Integer> list, Collection<Integer> more) {
        List<Integer> copy = new ArrayList<>(list);
        copy.addAll(more);
        return List.copyOf(copy);
    }
}
