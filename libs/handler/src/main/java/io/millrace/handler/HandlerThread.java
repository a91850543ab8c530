package io.millrace.handler;

import io.millrace.handler.bridge.Guest;
import io.millrace.handler.code.CodeCheck;
import io.millrace.handler.code.UserCode;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.sandbox.Fault;
import io.millrace.handler.sandbox.Guard;
import io.millrace.handler.sandbox.GuardTicker;
import io.millrace.json.MalformedJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** A {@link Handler} loaded into one thread, with its own global object and host. Only that thread may call it. */
public final class HandlerThread implements AutoCloseable {
    /** How long code may run while it is loaded. */
    static final Duration LOAD_TIMEOUT = Duration.ofSeconds(10);

    private final Thread owner = Thread.currentThread();
    private final HandlerSpec spec;
    private final UserCode code;
    private final Context context;
    private final Guest guest;
    private final GuardTicker ticker;
    private final Guard guard;
    private @Nullable Value update;
    private @Nullable Value remove;
    private @Nullable Value deploy;
    private @Nullable Value request;
    private @Nullable Value appended;
    private final Map<String, Optional<Value>> callbacks = new HashMap<>();

    /** Prepares a context; {@link #load} makes it ready. */
    HandlerThread(HandlerEngine engine, HandlerSpec spec, UserCode code, HandlerHost host) {
        this.spec = spec;
        this.code = code;
        this.context = engine.context(spec.libraries());
        context.enter();
        try {
            this.guest = new Guest(context, spec, code, host);
            this.guard = engine.guard(context, spec, host);
        } finally {
            context.leave();
        }
        this.ticker = engine.ticker();
        ticker.add(guard);
    }

    /** Runs the code, which declares its functions. */
    InvocationResult load() {
        return run(
                () -> {
                    var globals = context.getBindings("js");
                    loadCode(globals);
                    Value onUpdate = entryPoint(globals, CodeCheck.ON_UPDATE);
                    Value onDelete = entryPoint(globals, CodeCheck.ON_DELETE);
                    Value onDeploy = entryPoint(globals, CodeCheck.ON_DEPLOY);
                    Value onRequest = entryPoint(globals, CodeCheck.ON_REQUEST);
                    Value event = entryPoint(globals, CodeCheck.ON_EVENT);
                    Value onEvent = event == null ? entryPoint(globals, CodeCheck.ON_MESSAGE) : event;
                    Value entryPoints = guest.entryPoints(onUpdate, onDelete, onDeploy, onRequest, onEvent);
                    update = onUpdate == null ? null : entryPoints.getMember("update");
                    remove = onDelete == null ? null : entryPoints.getMember("remove");
                    deploy = onDeploy == null ? null : entryPoints.getMember("deploy");
                    request = onRequest == null ? null : entryPoints.getMember("request");
                    appended = onEvent == null ? null : entryPoints.getMember("appended");
                },
                LOAD_TIMEOUT);
    }

    /** The constants that stand for imports take their values from a global object, which is gone when code is called. */
    private void loadCode(Value globals) {
        var importing = code.importing();
        if (importing != null) {
            globals.putMember(UserCode.NAMESPACES, context.eval(importing));
        }
        context.eval(code.source());
        if (importing != null) {
            globals.removeMember(UserCode.NAMESPACES);
        }
    }

    private static @Nullable Value entryPoint(Value globals, String name) {
        Value function = globals.getMember(name);
        return function != null && function.canExecute() ? function : null;
    }

    /**
     * Calls {@code OnUpdate(doc, meta, xattrs)}.
     *
     * @param body the document as it is stored; the array must not change afterwards
     * @param userXattrs a JSON object, or null for none
     */
    public InvocationResult onUpdate(EventMeta meta, byte[] body, byte @Nullable [] userXattrs) {
        return onUpdate(meta, body, userXattrs, null);
    }

    /**
     * Calls {@code OnUpdate(doc, meta, xattrs, options)}.
     *
     * @param old the JSON document that becomes {@code options.old}, or null for undefined
     */
    public InvocationResult onUpdate(EventMeta meta, byte[] body, byte @Nullable [] userXattrs, byte @Nullable [] old) {
        checkThread();
        if (meta.binary() && !spec.language().deliversBinary()) {
            return new InvocationResult.Skipped(InvocationResult.Skipped.Cause.BINARY_DOCUMENT);
        }
        var function = update;
        if (function == null) {
            return new InvocationResult.Skipped(InvocationResult.Skipped.Cause.NO_ENTRY_POINT);
        }
        return run(() -> {
            Object document = meta.binary() ? guest.arrayBuffer(body) : argument(body);
            Object xattrs = userXattrs == null ? guest.undefined() : argument(userXattrs);
            call(function, document, xattrs, before(old), meta);
        });
    }

    /**
     * Calls {@code OnDelete(meta, options)}.
     *
     * @param expired whether the document expired
     */
    public InvocationResult onDelete(EventMeta meta, boolean expired) {
        return onDelete(meta, expired, null);
    }

    /**
     * Calls {@code OnDelete(meta, options)}.
     *
     * @param expired whether the document expired
     * @param old the JSON document that becomes {@code options.old}, or null for undefined
     */
    public InvocationResult onDelete(EventMeta meta, boolean expired, byte @Nullable [] old) {
        checkThread();
        var function = remove;
        if (function == null) {
            return new InvocationResult.Skipped(InvocationResult.Skipped.Cause.NO_ENTRY_POINT);
        }
        return run(() -> call(function, expired, guest.undefined(), before(old), meta));
    }

    /**
     * Calls {@code OnDeploy(action)}, with a time-out of its own.
     *
     * @param reason {@code Deploy} or {@code Resume}
     * @param delay how long the function was paused, zero if it was not
     */
    public InvocationResult onDeploy(String reason, Duration delay, Duration timeout) {
        checkThread();
        var function = deploy;
        if (function == null) {
            return new InvocationResult.Skipped(InvocationResult.Skipped.Cause.NO_ENTRY_POINT);
        }
        return run(() -> function.executeVoid(reason, (double) delay.toMillis()), timeout);
    }

    /**
     * Calls {@code OnRequest(request)}, with a time-out of its own.
     *
     * @param head the members of the request without its body, as a JSON object
     * @param response gets what the code returns
     */
    public InvocationResult onRequest(byte[] head, WebBody body, Duration timeout, ResponseReceiver response) {
        checkThread();
        var function = request;
        if (function == null) {
            return new InvocationResult.Skipped(InvocationResult.Skipped.Cause.NO_ENTRY_POINT);
        }
        return run(() -> guest.respond(function.execute(guest.parse(head), argument(body)), response), timeout);
    }

    /**
     * Calls {@code OnEvent(event, meta)}, or {@code OnMessage(message, meta)} if the code declares that.
     *
     * @param data the data of the event, JSON; the array must not change afterwards
     * @param binary whether the data are bytes and not JSON
     * @param about a JSON object with the members of {@code meta}; of them, {@code time} becomes a Date
     */
    public InvocationResult onEvent(byte[] data, boolean binary, byte[] about) {
        checkThread();
        var function = appended;
        if (function == null) {
            return new InvocationResult.Skipped(InvocationResult.Skipped.Cause.NO_ENTRY_POINT);
        }
        return run(() -> function.executeVoid(binary ? guest.arrayBuffer(data) : argument(data), guest.parse(about)));
    }

    private Object argument(WebBody body) throws MalformedJson {
        return switch (body.kind()) {
            case NONE -> guest.undefined();
            case TEXT -> new String(body.bytes(), StandardCharsets.UTF_8);
            case BYTES -> guest.arrayBuffer(body.bytes());
            case JSON -> argument(body.bytes());
        };
    }

    /**
     * Calls the callback of a timer, {@code callback(context)}.
     *
     * @param callback the name of a function that the code declares
     * @param context JSON, or null for undefined
     * @param opaque the second argument; none when empty
     */
    public InvocationResult onTimer(String callback, byte @Nullable [] context, String opaque) {
        checkThread();
        return callbacks
                .computeIfAbsent(callback, this::callback)
                .map(function -> run(() -> {
                    Object argument = context == null ? guest.undefined() : guest.parse(context);
                    if (opaque.isEmpty()) {
                        function.executeVoid(argument);
                    } else {
                        function.executeVoid(argument, opaque);
                    }
                }))
                .orElseGet(() -> new InvocationResult.Skipped(InvocationResult.Skipped.Cause.NO_ENTRY_POINT));
    }

    private Optional<Value> callback(String name) {
        return Optional.ofNullable(entryPoint(context.getBindings("js"), name));
    }

    private Object argument(byte[] json) throws MalformedJson {
        return guest.read(json);
    }

    private Object before(byte @Nullable [] old) throws MalformedJson {
        return old == null ? guest.undefined() : argument(old);
    }

    private static void call(Value function, Object subject, Object extra, Object old, EventMeta meta) {
        function.executeVoid(
                subject,
                extra,
                old,
                meta.id(),
                Long.toUnsignedString(meta.cas()),
                (double) Integer.toUnsignedLong(meta.flags()),
                meta.vbucket(),
                unsignedToDouble(meta.seqno()),
                meta.binary(),
                (double) meta.expiration(),
                meta.bucket(),
                meta.scope(),
                meta.collection());
    }

    private static double unsignedToDouble(long value) {
        return value >= 0 ? value : (value >>> 1 | value & 1) * 2.0;
    }

    private InvocationResult run(Invocation invocation) {
        return run(invocation, spec.executionTimeout());
    }

    private InvocationResult run(Invocation invocation, Duration timeout) {
        long begin = guard.begin(timeout);
        Throwable thrown = null;
        String message = "";
        context.enter();
        try {
            invocation.run();
        } catch (Throwable e) {
            thrown = e;
            message = describe(e);
        } finally {
            context.leave();
        }
        var stopped = guard.end();
        guest.endInvocation();
        long micros = (System.nanoTime() - begin) / 1000;
        var defect = guest.takeDefect();
        if (stopped == null && defect != null) {
            return new InvocationResult.InternalError("host failed: " + defect, defect, micros);
        }
        if (thrown == null) {
            return new InvocationResult.Success(micros);
        }
        var at = thrown instanceof PolyglotException e ? code.positionOf(e) : UserCode.Position.UNKNOWN;
        if (stopped != null) {
            return switch (stopped) {
                case TIMEOUT -> new InvocationResult.TimedOut(at.line(), at.column(), micros);
                case MEMORY -> new InvocationResult.OutOfMemory(at.line(), at.column(), micros);
            };
        }
        return switch (Fault.of(thrown)) {
            case CODE -> new InvocationResult.Threw(message, at.line(), at.column(), stack(thrown), micros);
            case MEMORY -> new InvocationResult.OutOfMemory(at.line(), at.column(), micros);
            case ENGINE -> new InvocationResult.InternalError(String.valueOf(thrown), thrown, micros);
        };
    }

    /** Returns class and message of what was thrown. May run the code's own toString and getters. */
    private String describe(Throwable thrown) {
        try {
            if (thrown instanceof PolyglotException e && e.isGuestException() && e.getGuestObject() != null) {
                return guest.describe(e.getGuestObject());
            }
        } catch (PolyglotException | StackOverflowError | IllegalStateException e) {
            // code of the thrown value failed: the engine's own message is used instead
        }
        return Fault.messageOf(thrown);
    }

    private String stack(Throwable thrown) {
        return thrown instanceof PolyglotException e ? code.stackOf(e) : "";
    }

    private void checkThread() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("opened by " + owner + ", called by " + Thread.currentThread());
        }
    }

    /**
     * Stops the invocation that runs, if one does, with an {@link InvocationResult.InternalError}. Another thread calls
     * this; it returns at the latest after {@code atMost}.
     *
     * @return false when the invocation still runs
     */
    public boolean interrupt(Duration atMost) {
        try {
            context.interrupt(atMost);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    @Override
    public void close() {
        ticker.remove(guard);
        context.close(true);
    }

    private interface Invocation {
        void run() throws MalformedJson;
    }
}
