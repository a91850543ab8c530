package io.millrace.handler.bridge;

import io.millrace.handler.HandlerSpec;
import io.millrace.handler.host.DocumentCall;
import io.millrace.handler.host.DocumentCall.DocumentAnswer;
import io.millrace.handler.host.DocumentCall.Operation;
import io.millrace.handler.host.DocumentCall.PathCall;
import io.millrace.handler.host.DocumentCall.PathOperation;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** The functions that {@code accessors.js} calls. The script checks the arguments; both use the same order. */
record AccessBridge(Guest guest, HandlerSpec spec, HandlerHost host, HostCalls calls) {

    Map<String, Object> functions() {
        return Map.of(
                "access", (ProxyExecutable) this::access,
                "bindingDetails", (ProxyExecutable) this::bindingDetails);
    }

    private Object bindingDetails(Value... arguments) {
        var alias = spec.aliases().get(arguments[0].asInt()).name();
        var details = calls.call(() -> host.bindingDetails(alias));
        return ProxyArray.fromArray(details.bucket(), details.scope(), details.collection(), details.access());
    }

    private Object access(Value... arguments) {
        var operation = Operation.valueOf(arguments[0].asString());
        boolean stores =
                operation == Operation.INSERT || operation == Operation.UPSERT || operation == Operation.REPLACE;
        long expiration = arguments[7].asLong();
        var call = new DocumentCall(
                operation,
                spec.aliases().get(arguments[1].asInt()).name(),
                text(arguments[2]),
                text(arguments[3]),
                arguments[4].asString(),
                stores ? document(arguments[5]) : null,
                cas(arguments[6].asString()),
                expiration < 0 ? null : (Long) expiration,
                arguments[8].asBoolean(),
                arguments[9].asBoolean(),
                paths(arguments[10]));
        return shown(call, calls.call(() -> host.access(call)));
    }

    private static @Nullable String text(Value value) {
        return value.isString() ? value.asString() : null;
    }

    private long cas(String decimal) {
        try {
            return Long.parseUnsignedLong(decimal);
        } catch (NumberFormatException e) {
            throw guest.raise("TypeError", "cas should be a string of at most 64 bits");
        }
    }

    /** Returns the document that a value becomes. */
    private StoredDocument document(Value value) {
        if (value.hasBufferElements()) {
            return new StoredDocument(Buffers.bytes(value), true);
        }
        return new StoredDocument(json(value, "A document cannot be undefined, a function or a symbol"), false);
    }

    private byte[] json(Value value, String otherwise) {
        byte[] json = guest.json(value);
        if (json == null) {
            throw guest.raise("EventingError", otherwise);
        }
        return json;
    }

    private List<PathCall> paths(Value specs) {
        List<PathCall> paths = new ArrayList<>();
        for (long i = 0; i < specs.getArraySize(); i++) {
            var path = specs.getArrayElement(i);
            boolean hasValue = path.getArrayElement(2).asBoolean();
            paths.add(new PathCall(
                    PathOperation.valueOf(path.getArrayElement(0).asString()),
                    path.getArrayElement(1).asString(),
                    hasValue
                            ? json(path.getArrayElement(3), "A value cannot be undefined, a function or a symbol")
                            : new byte[0],
                    path.getArrayElement(4).asBoolean(),
                    path.getArrayElement(5).asBoolean()));
        }
        return paths;
    }

    private Object shown(DocumentCall call, DocumentAnswer answer) {
        return switch (answer) {
            case DocumentAnswer.Refused refused ->
                ProxyArray.fromArray(refused.reason().name().toLowerCase(Locale.ROOT));
            case DocumentAnswer.Written written -> ProxyArray.fromArray("ok", Long.toUnsignedString(written.cas()));
            case DocumentAnswer.Counted counted ->
                ProxyArray.fromArray("ok", Long.toUnsignedString(counted.cas()), (double) counted.count());
            case DocumentAnswer.Found found ->
                ProxyArray.fromArray(
                        "ok",
                        Long.toUnsignedString(found.cas()),
                        guest.value(call.id(), found.document()),
                        (double) found.expiration(),
                        found.document().binary(),
                        found.document().body().length);
            case DocumentAnswer.Looked looked ->
                ProxyArray.fromArray("ok", Long.toUnsignedString(looked.cas()), values(call, looked));
        };
    }

    private Object values(DocumentCall call, DocumentAnswer.Looked looked) {
        return ProxyArray.fromArray(looked.values().stream()
                .map(json -> json == null
                        ? ProxyArray.fromArray(false, guest.undefined())
                        : ProxyArray.fromArray(true, guest.value(call.id(), new StoredDocument(json, false))))
                .toArray());
    }
}
