package io.millrace.worker.bindings;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Expiry;
import io.millrace.documents.Write;
import io.millrace.handler.host.DocumentCall;
import io.millrace.handler.host.DocumentCall.DocumentAnswer;
import io.millrace.handler.host.DocumentCall.DocumentAnswer.Reason;
import io.millrace.handler.host.DocumentCall.PathCall;
import io.millrace.handler.host.HostFailure;
import io.millrace.subdoc.Change;
import io.millrace.subdoc.Commands;
import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Outcome;
import io.millrace.subdoc.Outcome.PathResult;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Request.DocFlag;
import io.millrace.subdoc.Snapshot;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.Spec.PathFlag;
import io.millrace.subdoc.Status;
import io.millrace.subdoc.SubdocLimits;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Look-ups and changes at paths of a document, as calls of the sub-document library. */
final class Paths {

    /** The member that INCREMENT and DECREMENT count in. */
    private static final String COUNT = "count";

    private Paths() {}

    /**
     * A change that is still to be stored.
     *
     * @param before what it was made from, null for no document
     * @param count the new count of a counter
     */
    record Edited(
            @Nullable Reason refused,
            @Nullable Change change,
            @Nullable Document before,
            @Nullable Long count) {

        Write write(DocumentKey key) {
            Change made = Objects.requireNonNull(change, "change");
            byte[] body = made.body();
            Write write;
            if (before == null) {
                write = Write.insert(key, Objects.requireNonNull(body, "body of a new document"));
            } else if (body == null) {
                write = Write.touch(key, Expiry.PRESERVE).withCas(before.cas());
            } else {
                write = Write.replace(key, body).withCas(before.cas()).withFlags(before.flags());
            }
            return write.withDatatype(made.json() ? Datatype.JSON : Datatype.BINARY)
                    .withXattrs(made.userXattrs(), made.systemXattrs());
        }

        DocumentAnswer answer(long cas) {
            return count == null ? new DocumentAnswer.Written(cas) : new DocumentAnswer.Counted(count, cas);
        }
    }

    static DocumentAnswer lookUp(List<PathCall> paths, Document document) throws HostFailure {
        List<PathCall> ordered = attributesFirst(paths);
        Outcome outcome = Commands.run(Request.lookUp(specs(ordered)), snapshot(document));
        if (!outcome.status().success() && outcome.status() != Status.MULTI_PATH_FAILURE) {
            throw failure(outcome.status(), paths);
        }
        byte @Nullable [][] values = new byte @Nullable [paths.size()][];
        for (PathResult result : outcome.results()) {
            // the same record, not an equal one
            PathCall path = ordered.get(result.index());
            for (int i = 0; i < values.length; i++) {
                if (paths.get(i) == path && result.status() == Status.SUCCESS) {
                    values[i] = result.value();
                }
            }
        }
        return new DocumentAnswer.Looked(Arrays.asList(values), document.cas());
    }

    /** Changes a document as MUTATE_IN, INCREMENT or DECREMENT ask for. */
    static Edited edit(DocumentCall call, Optional<Document> before) throws HostFailure {
        Snapshot snapshot = before.map(Paths::snapshot).orElse(Snapshot.ABSENT);
        if (call.operation() == DocumentCall.Operation.MUTATE_IN) {
            List<PathCall> ordered = attributesFirst(call.paths());
            Outcome outcome = Commands.run(Request.mutate(specs(ordered)), snapshot);
            Change change = outcome.change();
            return outcome.status().success() && change != null
                    ? new Edited(null, change, before.orElse(null), null)
                    : refused(reason(outcome, ordered));
        }
        String delta = call.operation() == DocumentCall.Operation.INCREMENT ? "1" : "-1";
        Outcome outcome = Commands.run(
                Request.single(Spec.of(Operation.COUNTER, COUNT, delta)).withDocFlags(DocFlag.MKDOC), snapshot);
        Change change = outcome.change();
        if (!outcome.status().success() || change == null) {
            return refused(Reason.NOT_NUMBER);
        }
        byte[] number = outcome.results().getFirst().value();
        return new Edited(
                null, change, before.orElse(null), Long.parseLong(new String(number, StandardCharsets.US_ASCII)));
    }

    private static Edited refused(Reason reason) {
        return new Edited(reason, null, null, null);
    }

    private static Reason reason(Outcome outcome, List<PathCall> paths) throws HostFailure {
        boolean one = outcome.status() == Status.MULTI_PATH_FAILURE;
        PathResult failed = one ? outcome.results().getFirst() : null;
        Status status = failed == null ? outcome.status() : failed.status();
        return switch (status) {
            case KEY_ENOENT -> Reason.KEY_NOT_FOUND;
            case PATH_ENOENT -> Reason.FIELD_NOT_FOUND;
            case PATH_EEXISTS -> Reason.FIELD_ALREADY_EXISTS;
            default -> throw failure(status, failed == null ? paths : List.of(paths.get(failed.index())));
        };
    }

    private static HostFailure failure(Status status, List<PathCall> paths) {
        String place = paths.size() == 1 ? " at '%s'".formatted(paths.getFirst().path()) : "";
        return HostFailure.kvError(
                status.code(),
                "LCB_ERR_SUBDOC_" + status.name(),
                "The sub-document operation%s is not possible: %s".formatted(place, words(status)));
    }

    private static String words(Status status) {
        return switch (status) {
            case E2BIG -> "the document or its extended attributes would become too large";
            case PATH_MISMATCH -> "the path leads through a value of another type, or to one";
            case EINVAL -> "the path is empty or has more than %d bytes".formatted(SubdocLimits.MAX_PATH_BYTES);
            case PATH_EINVAL -> "the path has a wrong syntax, or its last part does not fit the operation";
            case PATH_E2BIG -> "the path has more than %d parts".formatted(SubdocLimits.MAX_PATH_COMPONENTS);
            case DOC_E2DEEP, VALUE_ETOODEEP ->
                "the document would have more than %d levels".formatted(SubdocLimits.MAX_DEPTH_LEVELS);
            case VALUE_CANTINSERT -> "the value cannot stand there";
            case DOC_NOTJSON -> "the document is binary";
            case INVALID_COMBO -> "a call has 1 to %d specs".formatted(SubdocLimits.MAX_SPECS);
            default -> status.name();
        };
    }

    /** The library requires paths into attributes before those into the body; the result is the same. */
    private static List<PathCall> attributesFirst(List<PathCall> paths) {
        return paths.stream()
                .sorted(Comparator.comparing(path -> !path.xattr()))
                .toList();
    }

    private static List<Spec> specs(List<PathCall> paths) {
        return paths.stream()
                .map(path -> new Spec(
                        operation(path.operation()),
                        (path.createPath() ? PathFlag.MKDIR_P : 0) | (path.xattr() ? PathFlag.XATTR_PATH : 0),
                        path.path().getBytes(StandardCharsets.UTF_8),
                        path.value()))
                .toList();
    }

    private static Operation operation(DocumentCall.PathOperation operation) {
        return switch (operation) {
            case GET -> Operation.GET;
            case INSERT -> Operation.DICT_ADD;
            case UPSERT -> Operation.DICT_UPSERT;
            case REPLACE -> Operation.REPLACE;
            case REMOVE -> Operation.REMOVE;
            case ARRAY_APPEND -> Operation.ARRAY_PUSH_LAST;
            case ARRAY_PREPEND -> Operation.ARRAY_PUSH_FIRST;
            case ARRAY_INSERT -> Operation.ARRAY_INSERT;
            case ARRAY_ADD_UNIQUE -> Operation.ARRAY_ADD_UNIQUE;
        };
    }

    static Snapshot snapshot(Document document) {
        Instant expiry = document.expiry();
        return new Snapshot(
                Snapshot.State.LIVE,
                document.body(),
                document.datatype() == Datatype.JSON,
                document.userXattrs(),
                document.systemXattrs(),
                new Snapshot.Meta(
                        document.cas(),
                        document.seqno(),
                        0,
                        0,
                        0,
                        expiry == null ? 0 : expiry.getEpochSecond(),
                        document.flags(),
                        0));
    }
}
