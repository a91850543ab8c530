package io.millrace.memcached;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The status of a response. Clients decide by the attributes, which are those of Couchbase's error map, what to do. */
public enum Status {
    SUCCESS(0x00, "Done", "success"),
    KEY_ENOENT(0x01, "There is no such document", "item-only"),
    KEY_EEXISTS(0x02, "The document exists, or has another CAS", "item-only"),
    E2BIG(0x03, "The value is too large", "item-only", "invalid-input"),
    EINVAL(0x04, "The request is not valid", "internal", "invalid-input"),
    NOT_STORED(0x05, "The document was not stored", "item-only"),
    DELTA_BADVAL(0x06, "The document is not a number", "item-only", "invalid-input"),
    NOT_MY_VBUCKET(0x07, "The vbucket is somewhere else", "fetch-config", "invalid-input"),
    NO_BUCKET(0x08, "No bucket has been selected", "conn-state-invalidated"),
    LOCKED(0x09, "The document is locked", "item-locked", "item-only", "retry-now"),
    NOT_LOCKED(0x0e, "The document is not locked", "item-only"),
    AUTH_STALE(0x1f, "The login is no longer good", "conn-state-invalidated", "auth"),
    AUTH_ERROR(0x20, "The login failed", "conn-state-invalidated", "auth"),
    AUTH_CONTINUE(0x21, "The login goes on", "special-handling"),
    ERANGE(0x22, "A number is out of range", "internal", "invalid-input"),
    ROLLBACK(0x23, "The history has branched", "dcp", "special-handling"),
    EACCESS(0x24, "This needs a login or a right that it does not have", "support"),
    UNKNOWN_FRAME_INFO(0x80, "The frame has extras that are not known", "internal", "invalid-input"),
    UNKNOWN_COMMAND(0x81, "The opcode is not known", "internal", "support"),
    ENOMEM(0x82, "There is no memory", "retry-later", "temp"),
    NOT_SUPPORTED(0x83, "This is not supported, or has not been negotiated", "internal", "support"),
    EINTERNAL(0x84, "Something went wrong", "conn-state-invalidated", "internal"),
    EBUSY(0x85, "Too busy", "retry-later", "temp"),
    ETMPFAIL(0x86, "This may work later", "retry-later", "temp"),
    XATTR_EINVAL(0x87, "The extended attributes are not valid", "invalid-input"),
    UNKNOWN_COLLECTION(0x88, "There is no such collection", "item-only"),
    CANNOT_APPLY_COLLECTIONS_MANIFEST(0x8a, "The manifest cannot be applied", "invalid-input"),
    UNKNOWN_SCOPE(0x8c, "There is no such scope", "item-only"),
    DURABILITY_INVALID_LEVEL(0xa0, "That durability cannot be had here", "item-only", "invalid-input"),
    DURABILITY_IMPOSSIBLE(0xa1, "There are not enough replicas for that durability", "item-only"),
    SYNC_WRITE_IN_PROGRESS(0xa2, "A durable write of the document is in progress", "item-only", "retry-later"),
    SYNC_WRITE_AMBIGUOUS(0xa3, "Whether it was written, and how durably, is not known", "item-only"),
    RANGE_SCAN_CANCELLED(0xa5, "The range scan was cancelled", "item-only"),
    RANGE_SCAN_MORE(0xa6, "The range scan has more", "success"),
    RANGE_SCAN_COMPLETE(0xa7, "The range scan is complete", "success"),
    VBUCKET_UUID_NOT_EQUAL(0xa8, "The vbucket has another history", "item-only"),
    SUBDOC_PATH_ENOENT(0xc0, "There is nothing at the path", "item-only", "subdoc"),
    SUBDOC_PATH_MISMATCH(0xc1, "The path does not fit the document", "item-only", "subdoc"),
    SUBDOC_PATH_EINVAL(0xc2, "The path is not valid", "subdoc", "invalid-input"),
    SUBDOC_PATH_E2BIG(0xc3, "The path has too many components", "subdoc", "invalid-input"),
    SUBDOC_DOC_E2DEEP(0xc4, "The document is nested too deeply", "item-only", "subdoc"),
    SUBDOC_VALUE_CANTINSERT(0xc5, "The value is not valid there", "subdoc", "invalid-input"),
    SUBDOC_DOC_NOTJSON(0xc6, "The document is not JSON", "item-only", "subdoc"),
    SUBDOC_NUM_ERANGE(0xc7, "The number in the document is out of range", "item-only", "subdoc"),
    SUBDOC_DELTA_EINVAL(0xc8, "The delta is not valid", "subdoc", "invalid-input"),
    SUBDOC_PATH_EEXISTS(0xc9, "There is something at the path", "item-only", "subdoc"),
    SUBDOC_VALUE_ETOODEEP(0xca, "The value is nested too deeply", "subdoc", "invalid-input"),
    SUBDOC_INVALID_COMBO(0xcb, "These specs do not go together", "subdoc", "invalid-input"),
    SUBDOC_MULTI_PATH_FAILURE(0xcc, "A spec failed", "subdoc", "special-handling"),
    SUBDOC_SUCCESS_DELETED(0xcd, "Done, on a deleted document", "success", "item-deleted", "subdoc"),
    SUBDOC_XATTR_INVALID_FLAG_COMBO(0xce, "These path flags do not go together", "subdoc", "invalid-input"),
    SUBDOC_XATTR_INVALID_KEY_COMBO(0xcf, "These attributes do not go together", "subdoc", "invalid-input"),
    SUBDOC_XATTR_UNKNOWN_MACRO(0xd0, "There is no such macro", "subdoc", "invalid-input"),
    SUBDOC_XATTR_UNKNOWN_VATTR(0xd1, "There is no such virtual attribute", "subdoc", "invalid-input"),
    SUBDOC_XATTR_CANT_MODIFY_VATTR(0xd2, "A virtual attribute cannot be changed", "subdoc", "invalid-input"),
    SUBDOC_MULTI_PATH_FAILURE_DELETED(
            0xd3, "A spec failed, on a deleted document", "item-deleted", "subdoc", "special-handling"),
    SUBDOC_INVALID_XATTR_ORDER(0xd4, "Specs of attributes come before those of the body", "subdoc", "invalid-input"),
    SUBDOC_XATTR_UNKNOWN_VATTR_MACRO(0xd5, "There is no such macro of the document", "subdoc", "invalid-input"),
    SUBDOC_CAN_ONLY_REVIVE_DELETED(0xd6, "The document is not deleted", "item-only", "subdoc"),
    SUBDOC_DELETED_DOCUMENT_CANT_HAVE_VALUE(0xd7, "A deleted document has no body", "subdoc", "invalid-input"),
    SUBDOC_FIELD_NOT_BINARY_VALUE(0xd8, "The attribute is not a binary value", "item-only", "subdoc");

    private static final Map<Integer, Status> BY_CODE = new HashMap<>();

    static {
        for (Status status : values()) {
            BY_CODE.put(status.code, status);
        }
    }

    private final int code;
    private final String description;
    private final List<String> attributes;

    Status(int code, String description, String... attributes) {
        this.code = code;
        this.description = description;
        this.attributes = List.of(attributes);
    }

    /** Returns the status of a code, or null if it is unknown. */
    public static @Nullable Status of(int code) {
        return BY_CODE.get(code);
    }

    public int code() {
        return code;
    }

    /** Returns a description, a sentence without a full stop. */
    public String description() {
        return description;
    }

    List<String> attributes() {
        return attributes;
    }
}
