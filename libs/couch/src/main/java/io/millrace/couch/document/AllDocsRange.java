package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.documents.IdRange;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The rows that a request to {@code _all_docs} asks for.
 *
 * @param ids the ids in ascending order of their bytes, whatever the direction
 * @param descending whether rows are listed from the end of the ids
 * @param skip how many rows are left out at the beginning
 * @param limit the largest number of rows
 */
record AllDocsRange(IdRange ids, boolean descending, long skip, long limit) {

    /** @param within the ids that the listing has at all */
    static AllDocsRange of(QueryParameters query, IdRange within) {
        String key = text(query, "key", "key");
        boolean descending = query.isTrue("descending");
        boolean inclusive = key != null || !query.isFalse("inclusive_end");
        String start = key != null ? key : text(query, "startkey", "start_key");
        String end = key != null ? key : text(query, "endkey", "end_key");
        IdRange asked =
                descending ? new IdRange(end, inclusive, start, true) : new IdRange(start, true, end, inclusive);
        Long skip = query.count("skip");
        Long limit = query.count("limit");
        return new AllDocsRange(
                both(asked, within), descending, skip == null ? 0 : skip, limit == null ? Long.MAX_VALUE : limit);
    }

    private static @Nullable String text(QueryParameters query, String name, String otherName) {
        JsonNode value = query.json(query.get(name) == null ? otherName : name);
        return value == null || value.isNull() ? null : value.asString("");
    }

    /** Throws a {@link CouchException} if a request has both a list of keys and a range. */
    static void refuseBesidesKeys(QueryParameters query) {
        for (String name : new String[] {"key", "startkey", "start_key", "endkey", "end_key"}) {
            if (query.get(name) != null) {
                throw CouchException.of(
                        400,
                        "query_parse_error",
                        "`keys` is incompatible with `key`, `start_key` and `end_key`; send one of them.");
            }
        }
    }

    private static IdRange both(IdRange one, IdRange other) {
        boolean laterStart =
                one.from() == null || other.from() != null && IdRange.compare(other.from(), one.from()) > 0;
        boolean earlierEnd = one.to() == null || other.to() != null && IdRange.compare(other.to(), one.to()) < 0;
        return new IdRange(
                laterStart ? other.from() : one.from(),
                laterStart ? other.fromIncluded() : one.fromIncluded(),
                earlierEnd ? other.to() : one.to(),
                earlierEnd ? other.toIncluded() : one.toIncluded());
    }

    /** Returns the ids of the listing that come before the range, in the direction of the rows. */
    IdRange front(IdRange within) {
        if (descending) {
            return ids.to() == null
                    ? new IdRange("", false, "", false)
                    : new IdRange(ids.to(), !ids.toIncluded(), within.to(), within.toIncluded());
        }
        return ids.from() == null
                ? new IdRange("", false, "", false)
                : new IdRange(within.from(), within.fromIncluded(), ids.from(), !ids.fromIncluded());
    }

    /** Returns how many ids to read at a time. */
    int pageIds() {
        return Math.max(skip, limit) >= IdPages.PAGE_IDS
                ? IdPages.PAGE_IDS
                : (int) Math.clamp(skip + limit, 1, IdPages.PAGE_IDS);
    }

    /** Leaves out elements at the beginning and ends after a number of elements. */
    static Iterator<String> cut(Iterator<String> all, long skip, long limit) {
        for (long i = 0; i < skip && limit > 0 && all.hasNext(); i++) {
            all.next();
        }
        return new Cut(all, limit);
    }

    private static final class Cut implements Iterator<String> {

        private final Iterator<String> all;
        private long left;

        private Cut(Iterator<String> all, long limit) {
            this.all = all;
            this.left = limit;
        }

        @Override
        public boolean hasNext() {
            return left > 0 && all.hasNext();
        }

        @Override
        public String next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            left--;
            return all.next();
        }
    }
}
