package io.millrace.n1ql;

import java.util.Map;
import java.util.TreeMap;

/** Prepared statements by name. */
final class PreparedStatements {

    /** The most prepared statements; a client that invents names could fill the heap otherwise. */
    private static final int MOST = 16_384;

    private final Map<String, String> texts = new TreeMap<>();

    synchronized void put(String name, String text, boolean force) {
        String known = texts.get(name);
        if (known != null && !known.equals(text) && !force) {
            throw QueryException.of(
                    ErrorCode.UNRECOGNISABLE_PREPARED,
                    "Unable to add name - cause: duplicate name: " + name + " is already a prepared statement");
        }
        if (known == null && texts.size() >= MOST) {
            throw QueryException.of(ErrorCode.MEMORY, "There are " + MOST + " prepared statements already");
        }
        texts.put(name, text);
    }

    synchronized String text(String name) {
        String text = texts.get(name);
        if (text == null) {
            throw QueryException.of(ErrorCode.NO_SUCH_PREPARED, "No such prepared statement: " + name);
        }
        return text;
    }

    synchronized boolean remove(String name) {
        return texts.remove(name) != null;
    }

    synchronized Map<String, String> all() {
        return new TreeMap<>(texts);
    }
}
