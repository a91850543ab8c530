package io.millrace.handler.bridge;

import io.millrace.handler.HandlerLimits;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.bridge.Cursors.Cursor;
import io.millrace.handler.bridge.Cursors.Handle;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import io.millrace.handler.host.QueryCall;
import io.millrace.handler.host.QueryCall.Service;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/** The functions that {@code queries.js} calls. The script checks the arguments; both use the same order. */
record QueryBridge(Guest guest, HandlerSpec spec, HandlerHost host, HostCalls calls, Cursors cursors) {

    /** As the product says it. */
    static final String NO_CURSOR = "Connection pool maximum capacity reached";

    Map<String, Object> functions() {
        return Map.of(
                "open", (ProxyExecutable) this::open,
                "next", (ProxyExecutable) this::next,
                "read", (ProxyExecutable) this::read,
                "close", (ProxyExecutable) this::close,
                "searchFailed", (ProxyExecutable) this::searchFailed,
                "mostContextIdChars", HandlerLimits.CONTEXT_ID_CHARS);
    }

    private Object open(Value... arguments) {
        var service = Service.valueOf(arguments[0].asString());
        if (!cursors.makeRoom()) {
            throw guest.raise(service.failure().javaScriptClass(), NO_CURSOR);
        }
        var call = new QueryCall(
                service,
                arguments[1].asString(),
                utf8(arguments[2]),
                utf8(arguments[3]),
                contextId(arguments[4].asString()));
        return cursors.open(calls.call(() -> host.query(call)), service);
    }

    /** Returns the client context id of a request for which the code gives none: the position of the call. */
    private String contextId(String given) {
        var caller = given.isEmpty() ? calls.caller() : null;
        if (caller == null) {
            return given;
        }
        String place = "%d@%s(%s)".formatted(caller.line(), spec.name(), caller.function());
        return place.substring(0, Math.min(place.length(), HandlerLimits.CONTEXT_ID_CHARS));
    }

    private static byte[] utf8(Value text) {
        return text.asString().getBytes(StandardCharsets.UTF_8);
    }

    private Object next(Value... arguments) {
        Cursor cursor = cursor(arguments);
        if (cursor.isClosed()) {
            return guest.undefined();
        }
        boolean more = false;
        try {
            Object row = calls.lookUp(cursor.rows()::next);
            more = row != null;
            return row instanceof byte[] json ? guest.value("", new StoredDocument(json, false)) : guest.undefined();
        } finally {
            if (!more) {
                cursors.close(cursor);
            }
        }
    }

    private Object read(Value... arguments) {
        cursors.read(cursor(arguments), arguments[1].asBoolean());
        return guest.undefined();
    }

    private Object close(Value... arguments) {
        cursors.close(cursor(arguments));
        return guest.undefined();
    }

    private Object searchFailed(Value... arguments) {
        host.searchFailed();
        return guest.undefined();
    }

    private static Cursor cursor(Value... arguments) {
        Handle handle = arguments[0].asProxyObject();
        return handle.cursor();
    }
}
