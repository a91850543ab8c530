package io.millrace.subdoc;

/** How an operation or a request ended, with the number that the memcached protocol gives it. */
public enum Status {
    SUCCESS(0x00),
    /** There is no document of this key that the request may see. */
    KEY_ENOENT(0x01),
    /** There is a document where none may be, or it has another CAS. */
    KEY_EEXISTS(0x02),
    /** The document or its attributes would become too large. */
    E2BIG(0x03),
    /** The request is invalid regardless of what is stored. */
    EINVAL(0x04),
    /** Another writer created the document between reading and storing. */
    NOT_STORED(0x05),
    LOCKED(0x09),
    NOT_SUPPORTED(0x83),
    /** Other writers were faster each time; the same request may succeed later. */
    ETMPFAIL(0x86),
    /** An attribute's name is not valid. */
    XATTR_EINVAL(0x87),
    /** A component of the path is missing, or an index is past the end. */
    PATH_ENOENT(0xc0),
    /** The path runs into a value of the wrong kind. */
    PATH_MISMATCH(0xc1),
    /** The syntax of the path is wrong, or it ends in the wrong kind of component. */
    PATH_EINVAL(0xc2),
    /** The path has more than {@link SubdocLimits#MAX_PATH_COMPONENTS} components. */
    PATH_E2BIG(0xc3),
    /** The document is nested deeper than {@link SubdocLimits#MAX_DEPTH_LEVELS} levels. */
    DOC_E2DEEP(0xc4),
    /** The value is not JSON that can stand there, or a counter would leave 64 bits. */
    VALUE_CANTINSERT(0xc5),
    DOC_NOTJSON(0xc6),
    /** The number to count on does not fit in 64 bits. */
    NUM_ERANGE(0xc7),
    /** The delta is zero, or not an integer of 64 bits. */
    DELTA_EINVAL(0xc8),
    PATH_EEXISTS(0xc9),
    /** With the value the document would be nested deeper than {@link SubdocLimits#MAX_DEPTH_LEVELS} levels. */
    VALUE_ETOODEEP(0xca),
    /** No operation, too many, or operations that cannot be in one request. */
    INVALID_COMBO(0xcb),
    /** At least one path failed; the results say which and why. */
    MULTI_PATH_FAILURE(0xcc),
    /** Done, on a tombstone. */
    SUCCESS_DELETED(0xcd),
    XATTR_INVALID_FLAG_COMBO(0xce),
    /** No longer sent; older clients know it. */
    XATTR_INVALID_KEY_COMBO(0xcf),
    XATTR_UNKNOWN_MACRO(0xd0),
    XATTR_UNKNOWN_VATTR(0xd1),
    XATTR_CANT_MODIFY_VATTR(0xd2),
    /** At least one path of a look-up failed on a tombstone. */
    MULTI_PATH_FAILURE_DELETED(0xd3),
    /** An operation on an attribute stands behind one on the body. */
    INVALID_XATTR_ORDER(0xd4),
    XATTR_UNKNOWN_VATTR_MACRO(0xd5),
    CAN_ONLY_REVIVE_DELETED_DOCUMENTS(0xd6),
    DELETED_DOCUMENT_CANT_HAVE_VALUE(0xd7),
    FIELD_NOT_BINARY_VALUE(0xd8);

    private final int code;

    Status(int code) {
        this.code = code;
    }

    /** Returns the number on the wire, 0 to 0xffff. */
    public int code() {
        return code;
    }

    /** Returns true for the two ways to have succeeded. */
    public boolean success() {
        return this == SUCCESS || this == SUCCESS_DELETED;
    }
}
