package io.millrace.subdoc.requests;

import io.millrace.json.Utf8;
import io.millrace.subdoc.SubdocLimits;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** The name of an extended attribute: the head of a path, up to the first dot or bracket, without unescaping. */
final class XattrName {

    static final String DOCUMENT = "$document";
    static final String TABLE = "$XTOC";
    static final String VBUCKET = "$vbucket";
    private static final Set<String> VIRTUAL = Set.of(DOCUMENT, TABLE, VBUCKET);

    private XattrName() {}

    static int length(byte[] path) {
        int length = 0;
        while (length < path.length && path[length] != '.' && path[length] != '[') {
            length++;
        }
        return length;
    }

    static String of(byte[] path) {
        return new String(path, 0, length(path), StandardCharsets.UTF_8);
    }

    static boolean valid(byte[] path) {
        int length = length(path);
        if (length == 0 || length > SubdocLimits.MAX_XATTR_NAME_BYTES || !Utf8.valid(path, 0, length)) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (path[i] == 0) {
                return false;
            }
        }
        byte first = path[0];
        return system(path) || virtual(path) ? length > 1 : first < 0 || first == ' ' || letterOrDigit(first);
    }

    private static boolean letterOrDigit(byte c) {
        return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
    }

    static boolean system(byte[] path) {
        return path.length > 0 && path[0] == '_';
    }

    static boolean virtual(byte[] path) {
        return path.length > 0 && path[0] == '$';
    }

    /** Returns true when there is a virtual attribute of that name. */
    static boolean known(byte[] path) {
        return VIRTUAL.contains(of(path));
    }
}
