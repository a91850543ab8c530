package io.millrace.subdoc;

import io.millrace.subdoc.Request.DocFlag;
import io.millrace.subdoc.Spec.PathFlag;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One conformance vector: a document, a request and the expected result.
 *
 * @param node the vector as it is written down, for what only some roads can say
 */
public record Vector(String name, Request.Kind kind, List<Spec> specs, int docFlags, JsonNode node) {

    private static final Path PLACE = Path.of("shared", "conformance", "subdoc", "vectors.json");
    private static final Map<String, Integer> PATH_FLAGS = Map.of(
            "mkdir_p", PathFlag.MKDIR_P,
            "xattr", PathFlag.XATTR_PATH,
            "expand_macros", PathFlag.EXPAND_MACROS,
            "binary", PathFlag.BINARY_VALUE);
    private static final Map<String, Integer> DOC_FLAGS = Map.of(
            "mkdoc", DocFlag.MKDOC,
            "add", DocFlag.ADD,
            "access_deleted", DocFlag.ACCESS_DELETED,
            "create_as_deleted", DocFlag.CREATE_AS_DELETED,
            "revive", DocFlag.REVIVE_DOCUMENT,
            "replica_read", DocFlag.REPLICA_READ);

    /** Reads all vectors, or nothing when they are not next to this repository. */
    static Optional<List<Vector>> readAll() {
        for (Path up = Path.of("").toAbsolutePath(); up != null; up = up.getParent()) {
            Path file = up.resolve(PLACE);
            if (Files.exists(file)) {
                List<Vector> vectors = new ArrayList<>();
                for (JsonNode node : JsonMapper.shared().readTree(file).get("vectors")) {
                    vectors.add(of(node));
                }
                return Optional.of(vectors);
            }
        }
        return Optional.empty();
    }

    private static Vector of(JsonNode node) {
        List<Spec> specs = new ArrayList<>();
        for (JsonNode op : node.get("ops")) {
            specs.add(new Spec(
                    Operation.valueOf(op.get("op").asString().toUpperCase(Locale.ROOT)),
                    bits(op.get("flags"), PATH_FLAGS),
                    bytes(op.get("path")),
                    op.get("value").isNull() ? new byte[0] : bytes(op.get("value"))));
        }
        Request.Kind kind = Request.Kind.valueOf(node.get("cmd").asString().toUpperCase(Locale.ROOT));
        return new Vector(node.get("name").asString(), kind, specs, bits(node.path("doc_flags"), DOC_FLAGS), node);
    }

    private static int bits(JsonNode names, Map<String, Integer> known) {
        int bits = 0;
        for (JsonNode name : names) {
            bits |= Objects.requireNonNull(known.get(name.asString()), name.asString());
        }
        return bits;
    }

    static byte[] bytes(JsonNode text) {
        return text.asString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the document before, or null when there is no living one. */
    public byte @Nullable [] document() {
        return node.get("doc").isNull() ? null : bytes(node.get("doc"));
    }

    /** Returns true when there is a tombstone before. */
    public boolean tombstone() {
        return node.path("doc_state").asString("").equals("deleted");
    }

    /** Returns the attributes before, name to JSON text. */
    public Map<String, String> xattrs() {
        return texts(node.path("xattrs"));
    }

    static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asString()));
        return texts;
    }

    /** Returns the attributes before of one kind as a JSON object, or null for none. */
    public @Nullable String xattrObject(boolean system) {
        StringBuilder object = new StringBuilder();
        xattrs().forEach((name, value) -> {
            if (name.startsWith("_") == system) {
                object.append(object.isEmpty() ? "{" : ",")
                        .append('"')
                        .append(name)
                        .append("\":")
                        .append(value);
            }
        });
        return object.isEmpty() ? null : object.append('}').toString();
    }

    /** Returns true when a field is present that only some roads can say. */
    public boolean has(String field) {
        return node.has(field);
    }

    /** Returns true for what was written for the operations at paths alone, without requests around them. */
    boolean engine() {
        return node.get("layer").asString().equals("engine");
    }

    /** Returns the client's bits before. */
    public int itemFlags() {
        return (int) node.path("item_flags").asLong(0);
    }

    /** Returns the same operation as a multi request of one. */
    public Vector asMulti() {
        boolean mutation = specs.get(0).operation().mutation();
        return new Vector(
                name, mutation ? Request.Kind.MULTI_MUTATION : Request.Kind.MULTI_LOOKUP, specs, docFlags, node);
    }

    /** Returns true when it was written as a single request and is asked as a multi request. */
    boolean reframed() {
        return node.get("cmd").asString().equals("single") && kind != Request.Kind.SINGLE;
    }

    /** Returns the request; the CAS is 0 unless the vector asks for another. */
    public Request request(long currentCas) {
        Request request = new Request(kind, docFlags, specs, cas(currentCas), true);
        return node.path("hello_without").asString("").equals("XATTR") ? request.withoutXattrs() : request;
    }

    private long cas(long current) {
        JsonNode cas = node.path("cas");
        if (cas.isNumber()) {
            return cas.asLong();
        }
        return switch (cas.asString("")) {
            case "match" -> current;
            case "mismatch" -> current + 1;
            default -> 0;
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
