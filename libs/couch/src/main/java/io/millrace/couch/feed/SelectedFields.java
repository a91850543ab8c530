package io.millrace.couch.feed;

import io.millrace.couch.CouchException;
import io.millrace.couch.document.RawObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The fields to return of each document, by their paths; all fields if the request names no fields. */
final class SelectedFields {

    private final List<List<String>> paths;

    private SelectedFields(List<List<String>> paths) {
        this.paths = paths;
    }

    /** Reads the member {@code fields} of a body; throws a {@link CouchException} if it is not a list of names. */
    static SelectedFields of(RawObject body) {
        if (body.get("fields") == null) {
            return new SelectedFields(List.of());
        }
        JsonNode fields = body.tree("fields");
        if (!fields.isArray()) {
            throw CouchException.badRequest("Selector error: fields must be JSON array");
        }
        List<List<String>> paths = new ArrayList<>();
        for (JsonNode field : fields) {
            if (!field.isString()) {
                throw CouchException.badRequest("Invalid JSON for field spec: " + field);
            }
            paths.add(Selector.path(field.asString()));
        }
        return new SelectedFields(paths);
    }

    /** Returns the selected fields of a document; the bytes of each value are kept. */
    byte[] cut(RawObject document) {
        if (paths.isEmpty()) {
            return document.bytes();
        }
        RawObject some = RawObject.empty();
        for (List<String> path : paths) {
            byte[] value = at(document, path);
            if (value != null) {
                put(some, path, value);
            }
        }
        return some.bytes();
    }

    private static byte @Nullable [] at(RawObject object, List<String> path) {
        byte[] value = object.get(path.getFirst());
        if (value == null || path.size() == 1) {
            return value;
        }
        return RawObject.isObject(value) ? at(RawObject.parse(value), path.subList(1, path.size())) : null;
    }

    private static void put(RawObject object, List<String> path, byte[] value) {
        String name = path.getFirst();
        if (path.size() == 1) {
            object.put(name, value);
            return;
        }
        byte[] former = object.get(name);
        RawObject inner = former == null ? RawObject.empty() : RawObject.parse(former);
        put(inner, path.subList(1, path.size()), value);
        object.put(name, inner.bytes());
    }
}
