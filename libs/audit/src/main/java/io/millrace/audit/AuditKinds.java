package io.millrace.audit;

import io.millrace.audit.AuditEvent.Kind;

/** The kinds of acts that Couchbase Server audits as well, with its numbers. */
public final class AuditKinds {

    public static final Kind LOGIN_SUCCESS = new Kind(8192, "login.success");
    public static final Kind LOGIN_FAILURE = new Kind(8193, "login.failure");
    public static final Kind USER_DELETE = new Kind(8194, "user.delete");
    public static final Kind BUCKET_CREATE = new Kind(8201, "bucket.create");
    public static final Kind BUCKET_MODIFY = new Kind(8202, "bucket.modify");
    public static final Kind BUCKET_DELETE = new Kind(8203, "bucket.delete");
    public static final Kind USER_SET = new Kind(8232, "user.set");
    public static final Kind FUNCTION_SAVE = new Kind(32768, "function.save");
    public static final Kind FUNCTION_DELETE = new Kind(32769, "function.delete");
    public static final Kind FUNCTION_SETTINGS = new Kind(32779, "function.settings");

    private AuditKinds() {}
}
