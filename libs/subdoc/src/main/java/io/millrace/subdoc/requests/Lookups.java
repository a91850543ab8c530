package io.millrace.subdoc.requests;

import io.millrace.subdoc.Answer;
import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Outcome;
import io.millrace.subdoc.Outcome.PathResult;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Request.DocFlag;
import io.millrace.subdoc.Snapshot;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.Spec.PathFlag;
import io.millrace.subdoc.Status;
import io.millrace.subdoc.SubDocuments;
import java.util.ArrayList;
import java.util.List;

/** Carries out look-ups, single or multi, on one document. */
final class Lookups {

    private static final byte[] NONE = new byte[0];
    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    private final Request request;
    private final Snapshot before;
    private final boolean deleted;

    Lookups(Request request, Snapshot before) {
        this.request = request;
        this.before = before;
        this.deleted = before.state() == Snapshot.State.TOMBSTONE;
    }

    Outcome run() {
        if (before.state() == Snapshot.State.ABSENT || deleted && !request.has(DocFlag.ACCESS_DELETED)) {
            return Outcome.refused(Status.KEY_ENOENT);
        }
        if (request.cas() != 0 && request.cas() != before.meta().cas()) {
            return Outcome.refused(Status.KEY_EEXISTS);
        }
        List<PathResult> results = results();
        boolean failed = results.stream().anyMatch(result -> result.status() != Status.SUCCESS);
        if (request.kind() == Request.Kind.SINGLE) {
            return single(results.get(0));
        }
        if (failed) {
            return new Outcome(deleted ? Status.MULTI_PATH_FAILURE_DELETED : Status.MULTI_PATH_FAILURE, results, null);
        }
        return new Outcome(deleted ? Status.SUCCESS_DELETED : Status.SUCCESS, results, null);
    }

    private Outcome single(PathResult result) {
        if (result.status() != Status.SUCCESS) {
            return Outcome.refused(result.status());
        }
        boolean gives = request.specs().get(0).operation() != Operation.EXISTS;
        return new Outcome(
                deleted ? Status.SUCCESS_DELETED : Status.SUCCESS, gives ? List.of(result) : List.of(), null);
    }

    private List<PathResult> results() {
        List<Spec> specs = request.specs();
        List<PathResult> results = new ArrayList<>(specs.size());
        List<Spec> onBody = new ArrayList<>(specs.size());
        for (Spec spec : specs) {
            if (!spec.xattr() && spec.operation() != Operation.GET_DOC) {
                onBody.add(spec);
            }
        }
        List<Answer> fromBody = fromBody(onBody);
        int next = 0;
        for (int i = 0; i < specs.size(); i++) {
            Spec spec = specs.get(i);
            if (spec.xattr()) {
                results.add(attribute(i, spec));
            } else if (spec.operation() == Operation.GET_DOC) {
                results.add(deleted ? failed(i, Status.PATH_ENOENT) : new PathResult(i, Status.SUCCESS, before.body()));
            } else {
                results.add(result(i, fromBody.get(next++)));
            }
        }
        return results;
    }

    private List<Answer> fromBody(List<Spec> specs) {
        if (specs.isEmpty()) {
            return List.of();
        }
        if (!deleted && before.json()) {
            return SubDocuments.lookUp(before.body(), specs);
        }
        Answer reason = Answer.failed(deleted ? Status.PATH_ENOENT : Status.DOC_NOTJSON);
        return specs.stream().map(spec -> reason).toList();
    }

    private PathResult attribute(int index, Spec spec) {
        if (XattrName.virtual(spec.path()) && !XattrName.known(spec.path())) {
            return failed(index, Status.XATTR_UNKNOWN_VATTR);
        }
        PathResult result = result(
                index, SubDocuments.run(spec.operation(), false, holder(spec.path()), spec.path(), spec.value()));
        if (result.status() != Status.SUCCESS || !spec.has(PathFlag.BINARY_VALUE)) {
            return result;
        }
        byte[] bytes = Base64Text.decode(result.value());
        return bytes == null
                ? failed(index, Status.FIELD_NOT_BINARY_VALUE)
                : new PathResult(index, Status.SUCCESS, bytes);
    }

    private byte[] holder(byte[] path) {
        if (XattrName.virtual(path)) {
            return Virtual.holder(path, before);
        }
        byte[] object = XattrName.system(path) ? before.systemXattrs() : before.userXattrs();
        return object == null ? EMPTY_OBJECT : object;
    }

    private static PathResult result(int index, Answer answer) {
        return new PathResult(index, answer.status(), answer.value());
    }

    private static PathResult failed(int index, Status status) {
        return new PathResult(index, status, NONE);
    }
}
