package io.millrace.couch.document;

import io.millrace.couch.CouchLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The branches of a document, winner first. Branches may share their older revisions; each keeps its own list of
 * ancestors (CouchDB RFC 001). Immutable.
 *
 * @param leaves empty only for a document that does not exist
 */
record RevisionTree(List<Leaf> leaves) {

    static final RevisionTree EMPTY = new RevisionTree(List.of());

    RevisionTree {
        List<Leaf> sorted = new ArrayList<>(leaves);
        sorted.sort(Leaf.WINNERS);
        leaves = Collections.unmodifiableList(sorted);
    }

    Optional<Leaf> winner() {
        return leaves.isEmpty() ? Optional.empty() : Optional.of(leaves.getFirst());
    }

    Optional<Leaf> leaf(Revision revision) {
        return leaves.stream().filter(leaf -> leaf.path().find(revision) == 0).findFirst();
    }

    boolean contains(Revision revision) {
        return leaves.stream().anyMatch(leaf -> leaf.path().find(revision) >= 0);
    }

    /** Returns the leaves that descend from a revision, including the revision if it is a leaf. */
    List<Leaf> leavesAfter(Revision revision) {
        return leaves.stream().filter(leaf -> leaf.path().find(revision) >= 0).toList();
    }

    /**
     * Returns the tree with a replicated branch: it replaces the branches that it continues, and takes the ancestors
     * of its oldest revision from others.
     */
    RevisionTree merged(Leaf branch) {
        List<String> ids = new ArrayList<>(branch.path().ids());
        long start = branch.path().start();
        List<Leaf> others = new ArrayList<>();
        for (Leaf leaf : leaves) {
            if (branch.path().find(leaf.revision()) >= 0) {
                learn(ids, start, leaf);
            } else {
                others.add(leaf);
            }
        }
        for (Leaf leaf : others) {
            learn(ids, start, leaf);
        }
        List<String> kept = ids.size() > CouchLimits.REVS_LIMIT ? ids.subList(0, CouchLimits.REVS_LIMIT) : ids;
        others.add(new Leaf(
                new Leaf.Path(start, List.copyOf(kept)), branch.deleted(), branch.empty(), branch.attachments()));
        return new RevisionTree(others);
    }

    /** Adds the ancestors that another branch has of the oldest of these revisions. */
    private static void learn(List<String> ids, long start, Leaf other) {
        Revision oldest = new Revision(start - ids.size() + 1, ids.getLast());
        int at = other.path().find(oldest);
        if (at >= 0) {
            List<String> more = other.path().ids();
            ids.addAll(more.subList(Math.min(more.size(), at + 1), more.size()));
        }
    }
}
