package io.millrace.subdoc.requests;

import io.millrace.subdoc.Answer;
import io.millrace.subdoc.Answer.Edit;
import io.millrace.subdoc.Change;
import io.millrace.subdoc.Change.Stamp;
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
import io.millrace.subdoc.SubdocLimits;
import io.millrace.subdoc.operations.Operations;
import java.util.ArrayList;
import java.util.List;

/** Carries out mutations, single or multi, on one document: all or nothing. */
final class Mutation {

    private static final byte[] NONE = new byte[0];
    private static final byte[] EMPTY_OBJECT = {'{', '}'};
    private static final byte[] EMPTY_ARRAY = {'[', ']'};

    private final Request request;
    private final Snapshot before;
    private final boolean mkdirP;
    private Attributes attributes;
    private byte[] body;
    private boolean json;
    private boolean bodyChanged;
    private boolean creates;
    private boolean tombstone;
    private boolean macros;
    /** Whether the body comes from an attribute, so that there may be macros in it. */
    private boolean copiesMacros;

    Mutation(Request request, Snapshot before) {
        this.request = request;
        this.before = before;
        this.mkdirP = request.has(DocFlag.MKDOC) || request.has(DocFlag.ADD);
        this.attributes = Attributes.of(before);
        this.body = before.body();
        this.json = before.json();
    }

    Outcome run() {
        Status begun = begin();
        if (begun != Status.SUCCESS) {
            return Outcome.refused(begun);
        }
        List<PathResult> results = new ArrayList<>();
        List<Spec> specs = request.specs();
        for (int i = 0; i < specs.size(); i++) {
            Spec spec = specs.get(i);
            Answer answer = carryOut(spec);
            if (answer.status() != Status.SUCCESS) {
                return failed(i, answer.status());
            }
            if (spec.operation() == Operation.COUNTER) {
                results.add(new PathResult(i, Status.SUCCESS, answer.value()));
            }
        }
        return finish(results);
    }

    private static boolean ofWholeRequest(Status status) {
        return status == Status.DELETED_DOCUMENT_CANT_HAVE_VALUE;
    }

    private Outcome failed(int index, Status status) {
        return request.kind() == Request.Kind.SINGLE || ofWholeRequest(status)
                ? Outcome.refused(status)
                : new Outcome(Status.MULTI_PATH_FAILURE, List.of(new PathResult(index, status, NONE)), null);
    }

    /** Decides which document is worked on: the one that is there, or a new one. */
    private Status begin() {
        boolean add = request.has(DocFlag.ADD);
        boolean deleted = before.state() == Snapshot.State.TOMBSTONE;
        if (before.state() == Snapshot.State.ABSENT || deleted && !request.has(DocFlag.ACCESS_DELETED)) {
            if (request.cas() != 0 || !request.has(DocFlag.MKDOC) && !add) {
                return Status.KEY_ENOENT;
            }
            if (deleted && add && request.has(DocFlag.CREATE_AS_DELETED)) {
                return Status.KEY_EEXISTS;
            }
            create();
            return Status.SUCCESS;
        }
        if (add || request.cas() != 0 && request.cas() != before.meta().cas()) {
            return Status.KEY_EEXISTS;
        }
        boolean revives = request.has(DocFlag.REVIVE_DOCUMENT);
        if (revives && !deleted) {
            return Status.CAN_ONLY_REVIVE_DELETED_DOCUMENTS;
        }
        tombstone = deleted && !revives;
        if (deleted && revives) {
            setBody(request.has(DocFlag.MKDOC) ? root() : NONE, request.has(DocFlag.MKDOC));
        }
        return Status.SUCCESS;
    }

    private void create() {
        creates = true;
        attributes = Attributes.none();
        tombstone = request.has(DocFlag.CREATE_AS_DELETED);
        setBody(tombstone ? NONE : root(), !tombstone);
    }

    /** Returns an empty array or object, whichever the first operation at a path can work on. */
    private byte[] root() {
        for (Spec spec : request.specs()) {
            if (!spec.operation().wholeDocument()) {
                int first = 0;
                while (first < spec.path().length && spec.path()[first] == ' ') {
                    first++;
                }
                boolean array = first == spec.path().length || spec.path()[first] == '[';
                return array ? EMPTY_ARRAY : EMPTY_OBJECT;
            }
        }
        return EMPTY_OBJECT;
    }

    private void setBody(byte[] bytes, boolean isJson) {
        body = bytes;
        json = isJson;
        bodyChanged = true;
    }

    private Answer carryOut(Spec spec) {
        if (spec.operation() == Operation.DELETE_DOC) {
            attributes.dropUser();
            tombstone = true;
            setBody(NONE, false);
            return Answer.done();
        }
        boolean writesBody = !spec.xattr() || spec.operation() == Operation.REPLACE_BODY_WITH_XATTR;
        if (writesBody && tombstone) {
            return Answer.failed(Status.DELETED_DOCUMENT_CANT_HAVE_VALUE);
        }
        if (spec.operation() == Operation.REPLACE_BODY_WITH_XATTR) {
            return bodyFromAttribute(spec);
        }
        if (spec.xattr()) {
            return onAttribute(spec);
        }
        if (spec.operation() == Operation.SET_DOC) {
            setBody(spec.value(), SubDocuments.isJson(spec.value()));
            copiesMacros = false;
            return Answer.done();
        }
        if (!json) {
            return Answer.failed(Status.DOC_NOTJSON);
        }
        Answer answer = SubDocuments.run(spec.operation(), mkdirP(spec), body, spec.path(), spec.value());
        Edit edit = answer.edit();
        if (edit != null) {
            setBody(edit.toBytes(), true);
        }
        return answer;
    }

    private boolean mkdirP(Spec spec) {
        return mkdirP || spec.has(PathFlag.MKDIR_P);
    }

    private Answer bodyFromAttribute(Spec spec) {
        Answer answer = SubDocuments.get(attributes.holder(spec.path()), spec.path());
        if (answer.status() != Status.SUCCESS) {
            return answer;
        }
        if (!spec.has(PathFlag.BINARY_VALUE)) {
            setBody(answer.value(), true);
            copiesMacros = macros;
            return Answer.done();
        }
        byte[] bytes = Base64Text.decode(answer.value());
        if (bytes == null) {
            return Answer.failed(Status.FIELD_NOT_BINARY_VALUE);
        }
        setBody(bytes, SubDocuments.isJson(bytes));
        copiesMacros = false;
        return Answer.done();
    }

    private Answer onAttribute(Spec spec) {
        byte[] holder = attributes.holder(spec.path());
        Answer answer;
        if (spec.has(PathFlag.EXPAND_MACROS)) {
            answer = macro(spec, holder);
        } else {
            byte[] value = spec.has(PathFlag.BINARY_VALUE) ? Base64Text.encode(spec.value()) : spec.value();
            answer = SubDocuments.run(spec.operation(), mkdirP(spec), holder, spec.path(), value);
        }
        Edit edit = answer.edit();
        if (edit != null) {
            attributes.replaceHolder(spec.path(), edit.toBytes());
        }
        return answer;
    }

    private Answer macro(Spec spec, byte[] holder) {
        Macro macro = Macro.of(spec.value());
        if (macro == null) {
            return Answer.failed(Status.XATTR_UNKNOWN_MACRO);
        }
        if (macro.kind() != Macro.Kind.VIRTUAL) {
            macros = true;
            byte[] value = Placeholder.of(macro.kind());
            return Operations.runWithScalar(spec.operation(), mkdirP(spec), holder, spec.path(), value);
        }
        Answer shown = SubDocuments.get(Virtual.holder(macro.path(), before), macro.path());
        return shown.status() == Status.SUCCESS
                ? SubDocuments.run(spec.operation(), mkdirP(spec), holder, spec.path(), shown.value())
                : Answer.failed(Status.XATTR_UNKNOWN_VATTR_MACRO);
    }

    private Outcome finish(List<PathResult> results) {
        List<Stamp> stamps = List.of();
        if (macros) {
            stamps = new ArrayList<>();
            if (copiesMacros) {
                body = Placeholder.fill(body, 0, Stamp.Part.BODY, stamps);
            }
            stamps.addAll(attributes.fill(Virtual.crc32c(body)));
        }
        if ((long) body.length + attributes.userLength() > SubdocLimits.MAX_DOCUMENT_BYTES
                || attributes.systemLength() > SubdocLimits.MAX_SYSTEM_XATTR_BYTES) {
            return Outcome.refused(Status.E2BIG);
        }
        Status status = tombstone && before.state() != Snapshot.State.LIVE ? Status.SUCCESS_DELETED : Status.SUCCESS;
        Change change = new Change(
                tombstone,
                creates,
                bodyChanged ? body : null,
                json,
                attributes.changedUser(),
                attributes.changedSystem(),
                stamps);
        return new Outcome(status, results, change);
    }
}
