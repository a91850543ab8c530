package io.millrace.subdoc.requests;

import static io.millrace.subdoc.Request.DocFlag.ACCESS_DELETED;
import static io.millrace.subdoc.Request.DocFlag.ADD;
import static io.millrace.subdoc.Request.DocFlag.CREATE_AS_DELETED;
import static io.millrace.subdoc.Request.DocFlag.MKDOC;
import static io.millrace.subdoc.Request.DocFlag.REVIVE_DOCUMENT;
import static io.millrace.subdoc.Spec.PathFlag.BINARY_VALUE;
import static io.millrace.subdoc.Spec.PathFlag.EXPAND_MACROS;

import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Request.Kind;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.Status;
import io.millrace.subdoc.SubdocLimits;

/** What is refused before any document is read, in the order in which clients may rely on it. */
final class RequestCheck {

    private final Request request;

    RequestCheck(Request request) {
        this.request = request;
    }

    /** Returns SUCCESS, or why the request is refused. */
    Status status() {
        return request.kind() == Kind.SINGLE ? single(request.specs().get(0)) : multi();
    }

    private Status single(Spec spec) {
        if (spec.operation().wholeDocument()) {
            return Status.INVALID_COMBO;
        }
        Status status = shape(spec);
        if (status != Status.SUCCESS) {
            return status;
        }
        boolean creates = request.has(MKDOC) || request.has(ADD);
        if (request.has(CREATE_AS_DELETED) && (!creates || !spec.xattr())) {
            return Status.EINVAL;
        }
        status = documentFlags();
        return status == Status.SUCCESS ? place(spec) : status;
    }

    private Status multi() {
        int specs = request.specs().size();
        if (specs == 0 || specs > SubdocLimits.MAX_SPECS) {
            return Status.INVALID_COMBO;
        }
        if (request.has(REVIVE_DOCUMENT) && (!request.has(ACCESS_DELETED) || request.has(CREATE_AS_DELETED))) {
            return Status.EINVAL;
        }
        Status status = documentFlags();
        boolean body = false;
        for (int i = 0; i < specs && status == Status.SUCCESS; i++) {
            Spec spec = request.specs().get(i);
            status = inMulti(spec, body);
            body |= !spec.xattr();
        }
        return status == Status.SUCCESS ? together() : status;
    }

    private Status inMulti(Spec spec, boolean behindBody) {
        if (spec.operation().mutation() != request.mutation()) {
            return Status.INVALID_COMBO;
        }
        Status status = shape(spec);
        if (status != Status.SUCCESS) {
            return status;
        }
        if (spec.xattr() && behindBody) {
            return Status.INVALID_XATTR_ORDER;
        }
        return place(spec);
    }

    /** Removing the document leaves no body for others to work on. */
    private Status together() {
        int onBody = 0;
        boolean removes = false;
        for (Spec spec : request.specs()) {
            onBody += spec.xattr() ? 0 : 1;
            removes |= spec.operation() == Operation.DELETE_DOC;
        }
        return removes && onBody > 1 ? Status.INVALID_COMBO : Status.SUCCESS;
    }

    /** What can be said about an operation without looking into its path. */
    private Status shape(Spec spec) {
        Operation operation = spec.operation();
        boolean fits = spec.path().length <= SubdocLimits.MAX_PATH_BYTES
                && operation.takesValue() == spec.value().length > 0
                && (spec.flags() & ~operation.pathFlags()) == 0
                && (operation != Operation.REPLACE_BODY_WITH_XATTR || spec.xattr())
                && (request.docFlags() & ~operation.docFlags()) == 0;
        return fits ? Status.SUCCESS : Status.EINVAL;
    }

    private Status documentFlags() {
        boolean contradicts = request.has(ADD) && (request.cas() != 0 || request.has(MKDOC));
        return contradicts ? Status.EINVAL : Status.SUCCESS;
    }

    private Status place(Spec spec) {
        Status status = spec.xattr() ? attribute(spec) : onlyForAttributes(spec);
        if (status != Status.SUCCESS) {
            return status;
        }
        boolean empty = spec.path().length == 0;
        boolean fits = spec.operation().wholeDocument()
                ? empty
                : !empty || spec.operation().emptyPath();
        return fits ? Status.SUCCESS : Status.EINVAL;
    }

    private static Status onlyForAttributes(Spec spec) {
        return spec.has(EXPAND_MACROS | BINARY_VALUE) ? Status.XATTR_INVALID_FLAG_COMBO : Status.SUCCESS;
    }

    private Status attribute(Spec spec) {
        if (!request.xattrs()) {
            return Status.NOT_SUPPORTED;
        }
        if (spec.has(EXPAND_MACROS) && spec.has(BINARY_VALUE)) {
            return Status.XATTR_INVALID_FLAG_COMBO;
        }
        if (!XattrName.valid(spec.path())) {
            return Status.XATTR_EINVAL;
        }
        if (spec.operation().mutation() && XattrName.virtual(spec.path())) {
            return Status.XATTR_CANT_MODIFY_VATTR;
        }
        return spec.has(EXPAND_MACROS) && Macro.of(spec.value()) == null ? Status.XATTR_UNKNOWN_MACRO : Status.SUCCESS;
    }
}
