package io.millrace.n1ql;

import io.millrace.n1ql.keyspace.StatementRights;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Prepared statements by name. EXECUTE runs them with the rights of its own user, so a name must not get a text from another
 * user.
 */
final class PreparedStatements {

    private static final Pattern GENERATED =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-3[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");

    private final Map<String, Entry> entries = new TreeMap<>();
    private int characters;

    /** @param maker who has prepared it; null if that is not known, or if several users have */
    private record Entry(String text, @Nullable Maker maker) {}

    private record Maker(String domain, String name) {

        static @Nullable Maker of(StatementRights rights) {
            StatementRights.User user = rights.user();
            return user.name().isEmpty() ? null : new Maker(user.domain(), user.name());
        }
    }

    /** Returns the name of a statement that is prepared without one. */
    static String generatedName(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** @param force whether to replace a statement; refused if it is one of another user, unless the rights allow to delete it */
    synchronized void put(String name, String text, boolean force, StatementRights rights) {
        if (GENERATED.matcher(name).matches() && !name.equals(generatedName(text))) {
            throw refused(name + " has the form of a generated name and belongs to another text; choose another name");
        }
        Entry known = entries.get(name);
        Maker maker = Maker.of(rights);
        boolean same = known != null && maker != null && maker.equals(known.maker());
        if (known != null && known.text().equals(text)) {
            entries.put(name, same ? known : new Entry(text, null));
            return;
        }
        if (known != null && !force) {
            throw refused("duplicate name: " + name + " is already a prepared statement");
        }
        if (known != null && !same && !rights.allowsSystem()) {
            throw QueryException.preparedByOthers(name, rights);
        }
        requireRoom(name, text, known);
        characters += lengthOf(name, text) - (known == null ? 0 : lengthOf(name, known.text()));
        entries.put(name, new Entry(text, maker));
    }

    private static QueryException refused(String why) {
        return QueryException.of(ErrorCode.UNRECOGNISABLE_PREPARED, "Unable to add name - cause: " + why);
    }

    private void requireRoom(String name, String text, @Nullable Entry replaced) {
        if (lengthOf(name, text) > StatementLimits.MAX_PREPARED_LENGTH) {
            throw refused("a prepared statement and its name have at most " + StatementLimits.MAX_PREPARED_LENGTH
                    + " characters (MAX_PREPARED_LENGTH); pass data as parameters");
        }
        if (replaced == null && entries.size() >= StatementLimits.MAX_PREPARED) {
            throw QueryException.of(
                    ErrorCode.MEMORY, "There are " + StatementLimits.MAX_PREPARED + " prepared statements already");
        }
        int before = replaced == null ? 0 : lengthOf(name, replaced.text());
        if (characters - before + lengthOf(name, text) > StatementLimits.MAX_PREPARED_TOTAL) {
            throw QueryException.of(
                    ErrorCode.MEMORY,
                    "All prepared statements together have at most " + StatementLimits.MAX_PREPARED_TOTAL
                            + " characters (MAX_PREPARED_TOTAL); delete some from system:prepareds");
        }
    }

    private static int lengthOf(String name, String text) {
        return name.length() + text.length();
    }

    synchronized String text(String name) {
        Entry entry = entries.get(name);
        if (entry == null) {
            throw QueryException.of(ErrorCode.NO_SUCH_PREPARED, "No such prepared statement: " + name);
        }
        return entry.text();
    }

    synchronized boolean remove(String name) {
        Entry removed = entries.remove(name);
        if (removed != null) {
            characters -= lengthOf(name, removed.text());
        }
        return removed != null;
    }

    synchronized Map<String, String> all() {
        Map<String, String> texts = new TreeMap<>();
        entries.forEach((name, entry) -> texts.put(name, entry.text()));
        return texts;
    }
}
