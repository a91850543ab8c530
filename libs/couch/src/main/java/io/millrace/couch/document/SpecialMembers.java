package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import java.util.Set;

/** Names with an underscore at the front: CouchDB reserves them, and other APIs give them to ordinary members. */
final class SpecialMembers {

    private static final Set<String> READ = Set.of(
            "_id",
            "_rev",
            "_deleted",
            "_revisions",
            "_attachments",
            "_conflicts",
            "_deleted_conflicts",
            "_revs_info",
            "_local_seq");

    /** What a replicator notes in its documents: kept as if the names had no underscore. */
    private static final Set<String> REPLICATION = Set.of(
            "_replication_id",
            "_replication_state",
            "_replication_state_time",
            "_replication_state_reason",
            "_replication_stats");

    private SpecialMembers() {}

    /** Returns whether clients of the CouchDB API read and write the member as part of the body. */
    static boolean isInBody(String name) {
        return !name.startsWith("_") || REPLICATION.contains(name);
    }

    /** Throws a {@link CouchException} if a client sent a special member that does not exist. */
    static void check(String name) {
        if (!isInBody(name) && !READ.contains(name)) {
            throw CouchException.docValidation("Bad special document member: " + name);
        }
    }

    /** Returns a body with those members of another body that clients of the CouchDB API cannot see. */
    static byte[] withUnseen(byte[] body, byte[] before) {
        RawObject unseen = RawObject.ofStored(before);
        unseen.members().keySet().removeIf(SpecialMembers::isInBody);
        if (unseen.members().isEmpty()) {
            return body;
        }
        RawObject both = RawObject.parse(body);
        unseen.members().forEach(both.members()::putIfAbsent);
        return both.bytes();
    }
}
