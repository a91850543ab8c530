package io.millrace.subdoc;

import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import io.millrace.subdoc.operations.Operations;
import java.util.List;

/**
 * Operations at paths of one JSON document. Pure functions; no tree is built, and an edit leaves every byte outside the
 * touched entry as it is.
 *
 * <p>A document must be JSON ({@link #isJson}), which a store records with it. On other bytes the answer is
 * {@link Status#DOC_NOTJSON} if the defect is met on the way to the path's end, otherwise a meaningless answer, but
 * never an exception.
 */
public final class SubDocuments {

    private SubDocuments() {}

    /**
     * Returns whether the bytes are one JSON value in UTF-8: what a store marks as JSON and the operations then work
     * on.
     * The hexadecimal digits of an escape ({@code \}{@code u}) are not checked, because clients of the binary protocol
     * rely on that.
     */
    public static boolean isJson(byte[] text) {
        try {
            JsonCursor cursor = JsonCursor.lenient(text);
            cursor.skipValue();
            cursor.end();
            return true;
        } catch (MalformedJson e) {
            return false;
        }
    }

    /**
     * Carries out one operation.
     *
     * @param operation any but those on the whole document and REPLACE_BODY_WITH_XATTR
     * @param mkdirP whether missing objects on the path are created
     * @param value the value or delta; ignored by operations that take none
     */
    public static Answer run(Operation operation, boolean mkdirP, byte[] document, byte[] path, byte[] value) {
        return Operations.run(operation, mkdirP, document, path, value);
    }

    /** Looks up a value: {@link #run} with {@link Operation#GET}. */
    public static Answer get(byte[] document, byte[] path) {
        return Operations.run(Operation.GET, false, document, path, path);
    }

    /**
     * Carries out several look-ups in one pass over the document. The answers are those that {@link #run} would give
     * for each, in the same order.
     *
     * @param specs GET, EXISTS and GET_COUNT; flags are not looked at
     */
    public static List<Answer> lookUp(byte[] document, List<Spec> specs) {
        return Operations.lookUp(document, specs);
    }
}
