package io.millrace.subdoc;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Calls {@link Commands} directly, on a document in memory. */
final class LibraryRunner implements VectorRunner {

    private static final long CAS = 77;
    /** Fields about frames, locks and expiry, which the library does not handle. */
    private static final Set<String> NOT_HERE = Set.of("extras_len", "datatype", "locked", "user_flags");

    @Override
    public boolean supports(Vector vector) {
        boolean expiryOfLookup = vector.has("expiry")
                && vector.specs().stream().noneMatch(spec -> spec.operation().mutation());
        return NOT_HERE.stream().noneMatch(vector::has) && !expiryOfLookup;
    }

    @Override
    public Seen run(Vector vector) {
        Snapshot before = snapshot(vector);
        Outcome outcome = Commands.run(vector.request(CAS), before);
        Change change = outcome.change();
        if (change == null) {
            return seen(outcome, vector.document(), before.userXattrs(), before.systemXattrs());
        }
        byte[] body = change.body() == null ? before.body() : change.body();
        return seen(
                outcome,
                change.tombstone() ? null : body,
                change.userXattrs() == null ? before.userXattrs() : change.userXattrs(),
                change.systemXattrs() == null ? before.systemXattrs() : change.systemXattrs());
    }

    private static Snapshot snapshot(Vector vector) {
        byte[] document = vector.document();
        if (document == null && !vector.tombstone()) {
            return Snapshot.ABSENT;
        }
        return new Snapshot(
                document == null ? Snapshot.State.TOMBSTONE : Snapshot.State.LIVE,
                document == null ? new byte[0] : document,
                document != null && SubDocuments.isJson(document),
                object(vector.xattrObject(false)),
                object(vector.xattrObject(true)),
                new Snapshot.Meta(CAS, CAS, 1, 1, 0, 0, vector.itemFlags(), 0));
    }

    private static byte @Nullable [] object(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static Seen seen(
            Outcome outcome, byte @Nullable [] document, byte @Nullable [] user, byte @Nullable [] system) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (byte[] object : new byte[][] {user, system}) {
            if (object != null && object.length > 0) {
                JsonMapper.shared()
                        .readTree(object)
                        .properties()
                        .forEach(entry ->
                                attributes.put(entry.getKey(), entry.getValue().toString()));
            }
        }
        return new Seen(outcome.status(), outcome.results(), document, attributes, null);
    }
}
