package io.millrace.couch.document;

import io.millrace.couch.CouchLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The end of one branch of a document's revision tree, with its known ancestors.
 *
 * @param path this revision and its ancestors
 * @param deleted whether it is a tombstone
 * @param empty whether its body has no members and therefore is not stored
 * @param attachments by name
 */
public record Leaf(Path path, boolean deleted, boolean empty, Map<String, Attachment> attachments) {

    /** The order of winners: live ones first, then the longest history, then the greatest id. */
    static final Comparator<Leaf> WINNERS =
            Comparator.comparing(Leaf::deleted).thenComparing(Leaf::revision, Comparator.reverseOrder());

    Revision revision() {
        return new Revision(path.start, path.head());
    }

    /** Returns the revision as text: its generation, a hyphen, and its hash. */
    public String rev() {
        return revision().toString();
    }

    /** Returns this branch after more revisions with derived ids. */
    Leaf grown(long more, String seed, boolean dead) {
        Map<String, Attachment> kept = dead ? Map.of() : attachments;
        return new Leaf(new Path(path, more, seed), dead, dead, kept);
    }

    /** The revisions from a leaf towards the root. The ids of the newest ones may be derived from their position. */
    static final class Path {

        private final long start;
        private final List<String> known;
        private final long unnamed;
        private final String seed;

        Path(long start, List<String> ids) {
            this.start = start;
            this.known = ids;
            this.unnamed = 0;
            this.seed = "";
        }

        private Path(Path before, long more, String seed) {
            this.start = before.start + more;
            this.known = before.known;
            this.unnamed = more;
            this.seed = seed + '\0' + (before.known.isEmpty() ? "" : before.head());
        }

        /** The path of a document that was never written through the CouchDB API: all its ids are derived. */
        static Path ofUnnamed(long revisions, String seed) {
            return new Path(new Path(0, List.of()), revisions, seed);
        }

        long start() {
            return start;
        }

        String head() {
            return unnamed == 0 ? known.getFirst() : Hashes.md5(seed + '\0' + start);
        }

        /** Returns the ids, newest first, at most as many as a tree keeps. */
        List<String> ids() {
            if (unnamed == 0) {
                return known;
            }
            List<String> ids = new ArrayList<>();
            for (long i = 0; i < unnamed && i < CouchLimits.REVS_LIMIT; i++) {
                ids.add(Hashes.md5(seed + '\0' + (start - i)));
            }
            for (int i = 0; i < known.size() && ids.size() < CouchLimits.REVS_LIMIT; i++) {
                ids.add(known.get(i));
            }
            return ids;
        }

        /** Returns how many generations a revision is behind the leaf, or -1 if it is not on this path. */
        int find(Revision revision) {
            long back = start - revision.generation();
            if (back < 0 || back >= CouchLimits.REVS_LIMIT || back >= unnamed + known.size()) {
                return -1;
            }
            String id = back < unnamed
                    ? Hashes.md5(seed + '\0' + revision.generation())
                    : known.get((int) (back - unnamed));
            return id.equals(revision.id()) ? (int) back : -1;
        }
    }
}
