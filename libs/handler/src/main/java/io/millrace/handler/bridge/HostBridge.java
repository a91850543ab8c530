package io.millrace.handler.bridge;

import io.millrace.handler.HandlerLimits;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.HandlerSpec.Alias;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import io.millrace.handler.host.HostFailure;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;

/** The functions that {@code bootstrap.js} calls: a {@link HandlerHost} in JavaScript's terms. */
record HostBridge(Guest guest, HandlerSpec spec, HandlerHost host, HostCalls calls) {

    Map<String, Object> functions() {
        Map<String, Object> functions = new HashMap<>();
        functions.put("get", (ProxyExecutable) this::get);
        functions.put("has", (ProxyExecutable) this::has);
        functions.put("put", (ProxyExecutable) this::put);
        functions.put("putBinary", (ProxyExecutable) this::putBinary);
        functions.put("remove", (ProxyExecutable) this::remove);
        functions.put("log", (ProxyExecutable) this::log);
        functions.put("text", (ProxyExecutable) this::text);
        functions.put("json", (ProxyExecutable) this::json);
        functions.put("firstDesign", spec.language().firstDesign());
        return functions;
    }

    /** Returns the aliases as an array of name and access. */
    ProxyArray aliases() {
        var all = spec.aliases().stream()
                .map(alias -> ProxyObject.fromMap(
                        Map.of("name", alias.name(), "access", alias.access().name())))
                .toArray();
        return ProxyArray.fromArray(all);
    }

    private Object get(Value... arguments) {
        var alias = alias(arguments);
        String id = arguments[1].asString();
        if (!(calls.lookUp(() -> host.get(alias.name(), id)) instanceof StoredDocument found)) {
            if (spec.language().missingDocumentThrows()) {
                throw guest.raise(HostFailure.missingKey());
            }
            return guest.undefined();
        }
        return guest.value(id, found);
    }

    private Object has(Value... arguments) {
        var alias = alias(arguments);
        String id = arguments[1].asString();
        return calls.lookUp(() -> host.get(alias.name(), id)) != null;
    }

    private Object put(Value... arguments) {
        var alias = alias(arguments);
        String id = arguments[1].asString();
        byte[] json = guest.json(arguments[2]);
        if (json == null) {
            throw guest.raise("EventingError", "A document cannot be undefined, a function or a symbol");
        }
        return upsert(alias, id, new StoredDocument(json, false));
    }

    private Object putBinary(Value... arguments) {
        var alias = alias(arguments);
        return upsert(alias, arguments[1].asString(), new StoredDocument(Buffers.bytes(arguments[2]), true));
    }

    private Object upsert(Alias alias, String id, StoredDocument document) {
        calls.order(() -> host.upsert(alias.name(), id, document));
        return guest.undefined();
    }

    private Object remove(Value... arguments) {
        var alias = alias(arguments);
        String id = arguments[1].asString();
        boolean mustExist = spec.language().missingDocumentThrows();
        boolean existed = calls.call(() -> host.delete(alias.name(), id, mustExist));
        if (mustExist && !existed) {
            throw guest.raise(HostFailure.missingKey());
        }
        return guest.undefined();
    }

    private Object log(Value... arguments) {
        var level = LogLevel.valueOf(arguments[0].asString());
        String line = arguments[1].asString();
        String kept = line.length() <= HandlerLimits.LOG_LINE_CHARS
                ? line
                : line.substring(0, HandlerLimits.LOG_LINE_CHARS) + " ...";
        calls.log(kept, () -> host.log(level, kept));
        return guest.undefined();
    }

    /** Returns the JSON, without white space, of an object or array of a document; undefined for any other value. */
    private Object text(Value... arguments) {
        String text = guest.documentText(arguments[0], true);
        return text == null ? guest.undefined() : text;
    }

    /** Returns the JSON of a value, undefined for undefined, functions and symbols. */
    private Object json(Value... arguments) {
        byte[] json = guest.json(arguments[0]);
        return json == null ? guest.undefined() : new String(json, StandardCharsets.UTF_8);
    }

    private Alias alias(Value... arguments) {
        return spec.aliases().get(arguments[0].asInt());
    }
}
