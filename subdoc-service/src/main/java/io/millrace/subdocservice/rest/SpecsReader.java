package io.millrace.subdocservice.rest;

import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import io.millrace.subdoc.Operation;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Request.DocFlag;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.Spec.PathFlag;
import io.millrace.subdoc.SubdocLimits;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a sub-document request: {@code {"specs": [{"op": ..., "path": ..., ...}, ...]}}, or the members of one
 * spec without {@code specs} for a single request. Values are cut out byte for byte.
 */
final class SpecsReader {

    /** The names of the bits of {@link PathFlag}. */
    static final Map<String, Integer> PATH_FLAGS = pathFlags();

    /** The names of the bits of {@link DocFlag}. */
    static final Map<String, Integer> DOC_FLAGS = docFlags();

    private static final long MOST_USER_FLAGS = 0xffff_ffffL;
    private static final byte[] NONE = {};

    private final byte[] text;
    private final JsonCursor cursor;
    private final boolean mutation;

    private SpecsReader(byte[] text, boolean mutation) {
        this.text = text;
        this.cursor = new JsonCursor(text, 0, text.length);
        this.mutation = mutation;
    }

    /**
     * The content of a body.
     *
     * @param userFlags the client's 32 bits, or null to keep them
     */
    record Body(Request request, @Nullable Integer userFlags) {}

    private static Map<String, Integer> pathFlags() {
        Map<String, Integer> flags = new LinkedHashMap<>();
        flags.put("mkdir_p", PathFlag.MKDIR_P);
        flags.put("xattr_path", PathFlag.XATTR_PATH);
        flags.put("expand_macros", PathFlag.EXPAND_MACROS);
        flags.put("binary_value", PathFlag.BINARY_VALUE);
        return flags;
    }

    private static Map<String, Integer> docFlags() {
        Map<String, Integer> flags = new LinkedHashMap<>();
        flags.put("mkdoc", DocFlag.MKDOC);
        flags.put("add", DocFlag.ADD);
        flags.put("access_deleted", DocFlag.ACCESS_DELETED);
        flags.put("create_as_deleted", DocFlag.CREATE_AS_DELETED);
        flags.put("revive_document", DocFlag.REVIVE_DOCUMENT);
        flags.put("replica_read", DocFlag.REPLICA_READ);
        return flags;
    }

    /** Reads the body of {@code mutate-in}, or of {@code lookup-in}; throws an {@link ApiException} if it is not valid. */
    static Body read(byte[] text, boolean mutation) {
        try {
            return new SpecsReader(text, mutation).body();
        } catch (MalformedJson e) {
            throw ApiException.of(e);
        }
    }

    /** Returns the names of the operations of an endpoint. */
    static List<String> operations(boolean mutation) {
        return Arrays.stream(Operation.values())
                .filter(operation -> operation.mutation() == mutation)
                .map(Operation::word)
                .toList();
    }

    private Body body() throws MalformedJson {
        List<Spec> specs = null;
        int docFlags = 0;
        Integer userFlags = null;
        Draft single = new Draft();
        Set<String> seen = new HashSet<>();
        cursor.beginObject();
        while (cursor.nextMember()) {
            String name = cursor.readName();
            once(name, seen);
            switch (name) {
                case "specs" -> specs = specs();
                case "doc_flags" -> docFlags = flags(name, DOC_FLAGS);
                case "user_flags" -> userFlags = userFlags();
                default -> single.member(name);
            }
        }
        cursor.end();
        if (userFlags != null && !mutation) {
            throw refusal("A look-up takes no \"user_flags\".");
        }
        if (specs == null) {
            return new Body(Request.single(single.spec("")).withDocFlags(docFlags), userFlags);
        }
        if (!single.members.isEmpty()) {
            throw refusal("\"%s\" must be inside one of the \"specs\"."
                    .formatted(single.members.iterator().next()));
        }
        Request request = mutation ? Request.mutate(specs) : Request.lookUp(specs);
        return new Body(request.withDocFlags(docFlags), userFlags);
    }

    /** Reads specs until there are too many; the rest is skipped. */
    private List<Spec> specs() throws MalformedJson {
        List<Spec> specs = new ArrayList<>();
        requireArray("specs");
        cursor.beginArray();
        while (cursor.nextElement()) {
            if (specs.size() > SubdocLimits.MAX_SPECS) {
                cursor.skipValue();
                continue;
            }
            String where = " in spec " + specs.size();
            if (cursor.peek() != '{') {
                throw refusal("A spec must be an object with \"op\" and \"path\";" + where + " is not one.");
            }
            Draft draft = new Draft();
            cursor.beginObject();
            while (cursor.nextMember()) {
                draft.member(cursor.readName());
            }
            specs.add(draft.spec(where));
        }
        return specs;
    }

    private int flags(String member, Map<String, Integer> known) throws MalformedJson {
        int bits = 0;
        requireArray(member);
        cursor.beginArray();
        while (cursor.nextElement()) {
            String word = string(member);
            Integer bit = known.get(word);
            if (bit == null) {
                throw refusal("'%s' is not valid in \"%s\"; valid are %s."
                        .formatted(word, member, String.join(", ", known.keySet())));
            }
            bits |= bit;
        }
        return bits;
    }

    private int userFlags() throws MalformedJson {
        byte[] number = spelling();
        String digits = new String(number, StandardCharsets.UTF_8);
        if (digits.matches("[0-9]{1,10}") && Long.parseLong(digits) <= MOST_USER_FLAGS) {
            return (int) Long.parseLong(digits);
        }
        throw refusal("\"user_flags\" must be a number from 0 to %d.".formatted(MOST_USER_FLAGS));
    }

    private void requireArray(String member) throws MalformedJson {
        if (cursor.peek() != '[') {
            throw refusal("\"%s\" must be an array.".formatted(member));
        }
    }

    private String string(String member) throws MalformedJson {
        if (cursor.peek() != '"') {
            throw refusal("\"%s\" takes only strings.".formatted(member));
        }
        String string = cursor.readString();
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(string)) {
            throw refusal("\"%s\" has an unpaired surrogate.".formatted(member));
        }
        return string;
    }

    /** Returns the bytes of the next value. */
    private byte[] spelling() throws MalformedJson {
        cursor.peek();
        int start = cursor.position();
        cursor.skipValue();
        return Arrays.copyOfRange(text, start, cursor.position());
    }

    private static void once(String name, Set<String> seen) {
        if (!seen.add(name)) {
            throw refusal("The member \"%s\" occurs twice.".formatted(name));
        }
    }

    private static ApiException refusal(String message) {
        return ApiException.of(ApiError.INVALID_BODY, message);
    }

    /** A spec that is being read. */
    private final class Draft {

        private final Set<String> members = new HashSet<>();
        private @Nullable Operation operation;
        private String path = "";
        private int flags;
        private byte @Nullable [] value;

        private void member(String name) throws MalformedJson {
            once(name, members);
            switch (name) {
                case "op" -> operation = operation(string(name));
                case "path" -> path = string(name);
                case "flags" -> flags = flags(name, PATH_FLAGS);
                case "value" -> value(spelling());
                case "values" -> {
                    requireArray(name);
                    byte[] array = spelling();
                    value(Arrays.copyOfRange(array, 1, array.length - 1));
                }
                case "raw" -> value(string(name).getBytes(StandardCharsets.UTF_8));
                case "base64" -> value(decoded(string(name)));
                default ->
                    throw refusal(
                            "The member \"%s\" does not exist; a spec has \"op\", \"path\", \"flags\" and one of \"value\","
                                            .formatted(name)
                                    + " \"values\", \"raw\" and \"base64\".");
            }
        }

        private void value(byte[] bytes) {
            if (value != null) {
                throw refusal("A spec has only one of \"value\", \"values\", \"raw\" and \"base64\".");
            }
            value = bytes;
        }

        private static byte[] decoded(String base64) {
            try {
                return Base64.getDecoder().decode(base64);
            } catch (IllegalArgumentException e) {
                throw refusal("The value of \"base64\" is not base64 (RFC 4648).");
            }
        }

        private static Operation operation(String word) {
            for (Operation operation : Operation.values()) {
                if (operation.word().equals(word)) {
                    return operation;
                }
            }
            throw refusal("The operation '%s' does not exist. lookup-in has %s; mutate-in has %s."
                    .formatted(word, String.join(", ", operations(false)), String.join(", ", operations(true))));
        }

        private Spec spec(String where) {
            if (operation == null) {
                throw refusal("The member \"op\" is missing%s%s."
                        .formatted(where, where.isEmpty() ? ", or \"specs\" with several operations" : ""));
            }
            return new Spec(operation, flags, path.getBytes(StandardCharsets.UTF_8), value == null ? NONE : value);
        }
    }
}
