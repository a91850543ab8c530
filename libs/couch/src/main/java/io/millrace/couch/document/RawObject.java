package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A JSON object as a map of members; the bytes of each value are kept. */
public final class RawObject {

    /** Names and numbers are as long as a document has room for; other APIs write them, too. */
    private static final JsonFactory JSON = factory(StreamReadConstraints.DEFAULT_MAX_DEPTH);

    /** An attribute may be as deep as a document, inside the object of all attributes. */
    private static final JsonFactory ATTRIBUTES = factory(StreamReadConstraints.DEFAULT_MAX_DEPTH + 1);

    /** Room for the names of members. */
    private static final int NAMES_BYTES = 256;

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final Map<String, byte[]> members;

    private static JsonFactory factory(int levels) {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(levels)
                        .maxNameLength(Integer.MAX_VALUE)
                        .maxNumberLength(Integer.MAX_VALUE)
                        .build())
                .build();
    }

    private RawObject(Map<String, byte[]> members) {
        this.members = members;
    }

    public static RawObject empty() {
        return new RawObject(new LinkedHashMap<>());
    }

    /** Parses an object; throws a {@link CouchException} if the bytes are not a JSON object. */
    public static RawObject parse(byte[] json) {
        return parse(JSON, json);
    }

    /** Parses the attributes of a document. */
    static RawObject attributes(byte[] json) {
        return parse(ATTRIBUTES, json);
    }

    /** Parses the body of a document; one that other APIs take for JSON, and that is not by the letter, has no members. */
    static RawObject ofStored(byte[] body) {
        try {
            return parse(body);
        } catch (CouchException e) {
            return empty();
        }
    }

    private static RawObject parse(JsonFactory format, byte[] json) {
        try (JsonParser parser = parser(format, json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                checkRest(parser);
                throw CouchException.badRequest("Request body must be a JSON object");
            }
            Map<String, byte[]> members = new LinkedHashMap<>();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                members.put(name, raw(parser, json));
            }
            checkRest(parser);
            return new RawObject(members);
        } catch (JacksonException e) {
            throw CouchException.badRequest("invalid UTF-8 JSON");
        }
    }

    /** The parser would read UTF-16 and UTF-32, too, but then its positions are not those of the bytes. */
    private static JsonParser parser(JsonFactory format, byte[] json) {
        for (int i = 0; i < Math.min(4, json.length); i++) {
            boolean byteOrderMark = i == 0 && (json[i] == (byte) 0xFE || json[i] == (byte) 0xFF);
            if (json[i] == 0 || byteOrderMark) {
                throw CouchException.badRequest("invalid UTF-8 JSON");
            }
        }
        return format.createParser(ObjectReadContext.empty(), json);
    }

    private static void checkRest(JsonParser parser) {
        while (parser.nextToken() != null) {
            parser.skipChildren();
        }
    }

    /** Returns whether a stored body is JSON by the letter; the binary protocol does not check the digits of escapes. */
    static boolean isJson(byte[] body) {
        try (JsonParser parser = parser(JSON, body)) {
            checkRest(parser);
            return true;
        } catch (JacksonException | CouchException e) {
            return false;
        }
    }

    /** Returns whether a JSON text is an object. */
    public static boolean isObject(byte[] json) {
        for (byte b : json) {
            if (b > ' ') {
                return b == '{';
            }
        }
        return false;
    }

    /** Returns the elements of an array, or null if the bytes are not an array. */
    static @Nullable List<byte[]> elements(byte[] json) {
        try (JsonParser parser = parser(JSON, json)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                return null;
            }
            List<byte[]> elements = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(raw(parser, json));
            }
            return elements;
        } catch (JacksonException e) {
            throw CouchException.badRequest("invalid UTF-8 JSON");
        }
    }

    private static byte[] raw(JsonParser parser, byte[] source) {
        long from = parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        return Arrays.copyOfRange(
                source, (int) from, (int) parser.currentLocation().getByteOffset());
    }

    Map<String, byte[]> members() {
        return members;
    }

    public byte @Nullable [] get(String name) {
        return members.get(name);
    }

    /**
     * Returns a member as a tree, or a missing node if it is absent; throws a {@link CouchException} if a number in it is so
     * long that reading it takes long.
     */
    public JsonNode tree(String name) {
        byte[] value = members.get(name);
        try {
            return value == null ? MAPPER.missingNode() : MAPPER.readTree(value);
        } catch (JacksonException e) {
            throw CouchException.badRequest("a number or name in " + name + " is too long");
        }
    }

    /** Returns a member if it is a string, or null. */
    public @Nullable String text(String name) {
        byte[] value = members.get(name);
        return value != null && value[0] == '"' ? tree(name).asString() : null;
    }

    boolean isTrue(String name) {
        return tree(name).asBoolean(false);
    }

    public RawObject put(String name, byte[] value) {
        members.put(name, value);
        return this;
    }

    public RawObject put(String name, JsonNode value) {
        return put(name, MAPPER.writeValueAsBytes(value));
    }

    public RawObject put(String name, String value) {
        return put(name, quoted(value));
    }

    /** Returns the object as JSON text. */
    public byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(length(members.values()) + NAMES_BYTES);
        out.write('{');
        members.forEach((name, value) -> {
            if (out.size() > 1) {
                out.write(',');
            }
            out.writeBytes(quoted(name));
            out.write(':');
            out.writeBytes(value);
        });
        out.write('}');
        return out.toByteArray();
    }

    /** Returns JSON texts as an array. */
    static byte[] array(Collection<byte[]> elements) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(length(elements));
        out.write('[');
        elements.forEach(element -> {
            if (out.size() > 1) {
                out.write(',');
            }
            out.writeBytes(element);
        });
        out.write(']');
        return out.toByteArray();
    }

    /** Returns how many bytes texts have with the marks around them, so that large ones are not copied as their sum grows. */
    private static int length(Collection<byte[]> texts) {
        return texts.stream().mapToInt(text -> text.length + 1).sum() + 1;
    }

    public static byte[] quoted(String text) {
        return MAPPER.writeValueAsBytes(text);
    }

    @Override
    public String toString() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }
}
