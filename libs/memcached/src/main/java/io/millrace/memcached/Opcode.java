package io.millrace.memcached;

import org.jspecify.annotations.Nullable;

/** The operation of a request. */
public enum Opcode {
    GET(0x00),
    SET(0x01),
    ADD(0x02),
    REPLACE(0x03),
    DELETE(0x04),
    INCREMENT(0x05),
    DECREMENT(0x06),
    QUIT(0x07),
    FLUSH(0x08),
    GETQ(0x09, GET),
    NOOP(0x0a),
    VERSION(0x0b),
    GETK(0x0c),
    GETKQ(0x0d, GETK),
    APPEND(0x0e),
    PREPEND(0x0f),
    STAT(0x10),
    SETQ(0x11, SET),
    ADDQ(0x12, ADD),
    REPLACEQ(0x13, REPLACE),
    DELETEQ(0x14, DELETE),
    INCREMENTQ(0x15, INCREMENT),
    DECREMENTQ(0x16, DECREMENT),
    QUITQ(0x17, QUIT),
    FLUSHQ(0x18, FLUSH),
    APPENDQ(0x19, APPEND),
    PREPENDQ(0x1a, PREPEND),
    TOUCH(0x1c),
    GAT(0x1d),
    GATQ(0x1e, GAT),
    HELLO(0x1f),
    SASL_LIST_MECHS(0x20),
    SASL_AUTH(0x21),
    SASL_STEP(0x22),
    GET_ALL_VB_SEQNOS(0x48),
    GET_REPLICA(0x83),
    SELECT_BUCKET(0x89),
    OBSERVE_SEQNO(0x91),
    OBSERVE(0x92),
    GET_LOCKED(0x94),
    UNLOCK(0x95),
    GET_FAILOVER_LOG(0x96),
    GET_META(0xa0),
    GETQ_META(0xa1, GET_META),
    GET_CLUSTER_CONFIG(0xb5),
    GET_RANDOM_KEY(0xb6),
    GET_COLLECTIONS_MANIFEST(0xba),
    GET_COLLECTION_ID(0xbb),
    GET_SCOPE_ID(0xbc),
    SUBDOC_GET(0xc5),
    SUBDOC_EXISTS(0xc6),
    SUBDOC_DICT_ADD(0xc7),
    SUBDOC_DICT_UPSERT(0xc8),
    SUBDOC_DELETE(0xc9),
    SUBDOC_REPLACE(0xca),
    SUBDOC_ARRAY_PUSH_LAST(0xcb),
    SUBDOC_ARRAY_PUSH_FIRST(0xcc),
    SUBDOC_ARRAY_INSERT(0xcd),
    SUBDOC_ARRAY_ADD_UNIQUE(0xce),
    SUBDOC_COUNTER(0xcf),
    SUBDOC_MULTI_LOOKUP(0xd0),
    SUBDOC_MULTI_MUTATION(0xd1),
    SUBDOC_GET_COUNT(0xd2),
    SUBDOC_REPLACE_BODY_WITH_XATTR(0xd3),
    RANGE_SCAN_CREATE(0xda),
    RANGE_SCAN_CONTINUE(0xdb),
    RANGE_SCAN_CANCEL(0xdc),
    GET_ERROR_MAP(0xfe);

    private static final @Nullable Opcode[] BY_CODE = new @Nullable Opcode[256];

    static {
        for (Opcode opcode : values()) {
            BY_CODE[opcode.code] = opcode;
        }
    }

    private final int code;
    private final @Nullable Opcode loud;

    Opcode(int code) {
        this(code, null);
    }

    Opcode(int code, @Nullable Opcode loud) {
        this.code = code;
        this.loud = loud;
    }

    /** Returns the opcode of a code from 0 to 255, or null if it is unknown. */
    public static @Nullable Opcode of(int code) {
        return BY_CODE[code];
    }

    public int code() {
        return code;
    }

    /** Returns the variant of a quiet opcode that always gets a response; otherwise this opcode. */
    public Opcode loud() {
        return loud == null ? this : loud;
    }

    /** Whether the expected outcome gets no response: a miss of a read, the success of a write. */
    public boolean quiet() {
        return loud != null;
    }
}
