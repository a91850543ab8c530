package io.millrace.handler.bridge;

import io.millrace.handler.HandlerSpec;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.TimerCall;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** The functions that {@code timers.js} calls. The script checks the arguments; both use the same order. */
record TimerBridge(HandlerSpec spec, HandlerHost host, HostCalls calls) {

    Map<String, Object> functions() {
        return Map.of(
                "create",
                (ProxyExecutable) this::create,
                "cancel",
                (ProxyExecutable) arguments ->
                        calls.call(() -> host.cancelTimer(arguments[0].asString(), arguments[1].asString())),
                "firstDesign",
                spec.language().firstDesign());
    }

    private Object create(Value... arguments) {
        Value skipAfter = arguments[4];
        var timer = new TimerCall(
                arguments[0].asString(),
                (long) arguments[1].asDouble(),
                text(arguments[2]),
                text(arguments[3]),
                skipAfter.isNull() ? TimerCall.NEVER : (long) skipAfter.asDouble(),
                arguments[5].asString(),
                arguments[6].asBoolean());
        return calls.call(() -> host.createTimer(timer));
    }

    private static @Nullable String text(Value value) {
        return value.isNull() ? null : value.asString();
    }
}
