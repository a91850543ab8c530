package io.millrace.subdocservice.rest;

import io.millrace.documents.Limits;

/** The limits of the HTTP API, each with its unit, in addition to {@link Limits}. */
final class RestLimits {

    /** The largest body that describes a bucket, in bytes. */
    static final int MAX_SETTINGS_BYTES = 4096;

    /** The longest {@code Idempotency-Key} in characters. */
    static final int MAX_IDEMPOTENCY_KEY_CHARS = 255;

    /** The longest name of an extended attribute in bytes. */
    static final int MAX_XATTR_NAME_BYTES = 15;

    /** The largest body of a sub-document request in bytes: the largest document and its attributes, and the JSON around them. */
    static final int MAX_SPECS_BYTES = Limits.MAX_DOCUMENT_BYTES + 2 * 1024 * 1024;

    private RestLimits() {}
}
