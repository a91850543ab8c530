package io.millrace.handler.bridge;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/** The functions that {@code builtins.js} calls: pure functions of bytes and text. */
record BuiltinBridge(Guest guest) {

    Map<String, Object> functions() {
        return Map.of(
                "crc64", (ProxyExecutable) arguments -> Crc64.hex(bytes(arguments[0])),
                "base64", (ProxyExecutable) arguments -> Base64.getEncoder().encodeToString(bytes(arguments[0])),
                "unbase64", (ProxyExecutable) this::decoded,
                "utf8", (ProxyExecutable) arguments -> new String(bytes(arguments[0]), StandardCharsets.UTF_8));
    }

    private Object decoded(Value... arguments) {
        try {
            return guest.arrayBuffer(
                    Base64.getDecoder().decode(arguments[0].asString().strip()));
        } catch (IllegalArgumentException e) {
            return guest.undefined();
        }
    }

    private static byte[] bytes(Value textOrBuffer) {
        return textOrBuffer.isString()
                ? textOrBuffer.asString().getBytes(StandardCharsets.UTF_8)
                : Buffers.bytes(textOrBuffer);
    }
}
