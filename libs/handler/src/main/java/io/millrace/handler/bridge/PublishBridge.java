package io.millrace.handler.bridge;

import io.millrace.handler.HandlerSpec;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.PublishCall;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** The functions that {@code publish.js} calls. The script checks the arguments; both use the same names of types. */
record PublishBridge(Guest guest, HandlerSpec spec, HandlerHost host, HostCalls calls) {

    Map<String, Object> functions() {
        return Map.of(
                "publish",
                (ProxyExecutable) this::publish,
                "topics",
                ProxyArray.fromArray(spec.topics().toArray()));
    }

    /** Takes binding, type, content, key or null, and the headers as an array of name, value. */
    private @Nullable Object publish(Value... arguments) {
        PublishCall.Type type = PublishCall.Type.valueOf(arguments[1].asString());
        Value content = arguments[2];
        byte[] bytes = type == PublishCall.Type.BYTES
                ? Buffers.bytes(content)
                : content.asString().getBytes(StandardCharsets.UTF_8);
        Map<String, String> headers = new LinkedHashMap<>();
        Value given = arguments[4];
        for (long i = 0; i + 1 < given.getArraySize(); i += 2) {
            headers.put(
                    given.getArrayElement(i).asString(),
                    given.getArrayElement(i + 1).asString());
        }
        String key = arguments[3].isString() ? arguments[3].asString() : null;
        var call = new PublishCall(arguments[0].asString(), type, bytes, key, headers);
        calls.call(() -> {
            host.publish(call);
            return true;
        });
        return guest.undefined();
    }
}
