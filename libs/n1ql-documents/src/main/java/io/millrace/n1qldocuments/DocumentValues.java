package io.millrace.n1qldocuments;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.n1ql.value.BinaryValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A changed document, or its tombstone, as a condition on documents sees it. */
public final class DocumentValues {

    private DocumentValues() {}

    /** Returns the value of the document; MISSING for a tombstone. Fails for bytes that are not the JSON that they are said to be. */
    public static Value body(Document document) {
        if (!document.live()) {
            return Value.MISSING;
        }
        return document.datatype() == Datatype.BINARY
                ? new BinaryValue(document.body())
                : Json.trusted(document.body());
    }

    /** Returns the value of META(): that of a query, and whether the document was deleted, or has expired. */
    public static ObjectValue meta(Document document) {
        Instant expiry = document.expiry();
        Map<String, Value> fields = LinkedHashMap.newLinkedHashMap(9);
        fields.put("id", Value.of(document.key().id()));
        fields.put("keyspace", Value.of(document.key().keyspace().toString()));
        fields.put("cas", Value.of(document.cas()));
        fields.put("expiration", Value.of(expiry == null ? 0 : expiry.getEpochSecond()));
        fields.put("flags", Value.of((long) document.flags()));
        fields.put("type", Value.of(document.datatype() == Datatype.BINARY ? "base64" : "json"));
        fields.put("deleted", Value.of(!document.live()));
        fields.put("expired", Value.of(document.state() == Document.State.EXPIRED));
        fields.put("xattrs", xattrs(document));
        return ObjectValue.of(fields);
    }

    private static ObjectValue xattrs(Document document) {
        ObjectValue all = attributes(document.userXattrs());
        for (Map.Entry<String, Value> system :
                attributes(document.systemXattrs()).fields().entrySet()) {
            all = all.with(system.getKey(), system.getValue());
        }
        return all;
    }

    private static ObjectValue attributes(byte @Nullable [] json) {
        return json != null && Json.trusted(json) instanceof ObjectValue attributes ? attributes : ObjectValue.EMPTY;
    }
}
