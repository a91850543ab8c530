package io.millrace.subdoc;

import static io.millrace.subdoc.Request.DocFlag.ACCESS_DELETED;
import static io.millrace.subdoc.Request.DocFlag.ADD;
import static io.millrace.subdoc.Request.DocFlag.CREATE_AS_DELETED;
import static io.millrace.subdoc.Request.DocFlag.MKDOC;
import static io.millrace.subdoc.Request.DocFlag.REPLICA_READ;
import static io.millrace.subdoc.Request.DocFlag.REVIVE_DOCUMENT;
import static io.millrace.subdoc.Spec.PathFlag.BINARY_VALUE;
import static io.millrace.subdoc.Spec.PathFlag.EXPAND_MACROS;
import static io.millrace.subdoc.Spec.PathFlag.MKDIR_P;
import static io.millrace.subdoc.Spec.PathFlag.XATTR_PATH;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What can be done at one path, or with the whole document in a multi request. */
public enum Operation {
    GET(0xc5, false, XATTR_PATH | BINARY_VALUE, Flags.LOOKUP, Value.NONE, false),
    EXISTS(0xc6, false, XATTR_PATH, Flags.LOOKUP, Value.NONE, false),
    GET_COUNT(0xd2, false, XATTR_PATH, Flags.LOOKUP, Value.NONE, true),
    DICT_ADD(0xc7, true, Flags.WRITE_PATH | BINARY_VALUE, Flags.WRITE, Value.ONE, false),
    DICT_UPSERT(0xc8, true, Flags.WRITE_PATH | BINARY_VALUE, Flags.WRITE, Value.ONE, false),
    REMOVE(0xc9, true, XATTR_PATH, ACCESS_DELETED | REVIVE_DOCUMENT, Value.NONE, false),
    REPLACE(
            0xca,
            true,
            XATTR_PATH | EXPAND_MACROS | BINARY_VALUE,
            ADD | ACCESS_DELETED | REVIVE_DOCUMENT,
            Value.ONE,
            false),
    ARRAY_PUSH_LAST(0xcb, true, Flags.WRITE_PATH, Flags.WRITE, Value.MANY, true),
    ARRAY_PUSH_FIRST(0xcc, true, Flags.WRITE_PATH, Flags.WRITE, Value.MANY, true),
    ARRAY_INSERT(
            0xcd,
            true,
            XATTR_PATH | EXPAND_MACROS,
            ADD | ACCESS_DELETED | CREATE_AS_DELETED | REVIVE_DOCUMENT,
            Value.MANY,
            false),
    ARRAY_ADD_UNIQUE(0xce, true, MKDIR_P | XATTR_PATH, Flags.WRITE, Value.PRIMITIVE, true),
    COUNTER(0xcf, true, MKDIR_P | XATTR_PATH, Flags.WRITE, Value.DELTA, false),
    REPLACE_BODY_WITH_XATTR(0xd3, true, XATTR_PATH | BINARY_VALUE, ACCESS_DELETED | REVIVE_DOCUMENT, Value.NONE, false),
    /** The whole body; only in a multi look-up. */
    GET_DOC(0x00, false, 0, Flags.LOOKUP, Value.NONE, true),
    /** The whole body is replaced; only in a multi mutation. */
    SET_DOC(0x01, true, 0, MKDOC | ADD, Value.BODY, true),
    /** The document is removed; only in a multi mutation, and there the only one on the body. */
    DELETE_DOC(0x04, true, 0, ACCESS_DELETED | REVIVE_DOCUMENT, Value.NONE, true);

    /** What value an operation takes. */
    public enum Value {
        NONE,
        ONE,
        MANY,
        PRIMITIVE,
        DELTA,
        BODY
    }

    private static final class Flags {
        static final int LOOKUP = ACCESS_DELETED | REVIVE_DOCUMENT | REPLICA_READ;
        static final int WRITE = MKDOC | ADD | ACCESS_DELETED | CREATE_AS_DELETED | REVIVE_DOCUMENT;
        static final int WRITE_PATH = MKDIR_P | XATTR_PATH | EXPAND_MACROS;
    }

    private static final @Nullable Operation[] BY_CODE = new @Nullable Operation[256];

    static {
        for (Operation operation : values()) {
            BY_CODE[operation.code] = operation;
        }
    }

    private final int code;
    private final String word;
    private final boolean mutation;
    private final int pathFlags;
    private final int docFlags;
    private final Value value;
    private final boolean emptyPath;

    Operation(int code, boolean mutation, int pathFlags, int docFlags, Value value, boolean emptyPath) {
        this.code = code;
        this.word = name().toLowerCase(Locale.ROOT);
        this.mutation = mutation;
        this.pathFlags = pathFlags;
        this.docFlags = docFlags;
        this.value = value;
        this.emptyPath = emptyPath;
    }

    /** Returns the operation with this number, or null. */
    public static @Nullable Operation of(int code) {
        return code < 0 || code > 0xff ? null : BY_CODE[code];
    }

    /** Returns the number on the wire: of the single request, and in the specs of a multi request. */
    public int code() {
        return code;
    }

    /** Returns the name in lower case, such as {@code dict_upsert}, as the REST API spells it. */
    public String word() {
        return word;
    }

    /** Returns true when it changes the document, false when it looks something up. */
    public boolean mutation() {
        return mutation;
    }

    /** Returns true for the three that are about the whole document and exist in multi requests only. */
    public boolean wholeDocument() {
        return this == GET_DOC || this == SET_DOC || this == DELETE_DOC;
    }

    /** Returns true when it takes a value, which then must not be empty. */
    public boolean takesValue() {
        return value != Value.NONE;
    }

    public Value value() {
        return value;
    }

    public int pathFlags() {
        return pathFlags;
    }

    public int docFlags() {
        return docFlags;
    }

    public boolean emptyPath() {
        return emptyPath;
    }
}
