package io.millrace.handler.bridge;

import com.oracle.truffle.js.runtime.JSException;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.ResponseReceiver;
import io.millrace.handler.WebBody;
import io.millrace.handler.WebResponse;
import io.millrace.handler.code.UserCode;
import io.millrace.handler.documents.Documents;
import io.millrace.handler.documents.JsonWriter;
import io.millrace.handler.documents.ValueJson;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import io.millrace.handler.host.HostFailure;
import io.millrace.handler.sandbox.Fault;
import io.millrace.handler.sandbox.Sandbox;
import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/** The JavaScript side of one context: its values and the functions of {@code bootstrap.js}, for Java to use. */
public final class Guest {
    private static final Source DATES = Sandbox.script(Guest.class, "dates.js");
    private static final Source BOOTSTRAP = Sandbox.script(Guest.class, "bootstrap.js");
    private static final Source BUILTINS = Sandbox.script(Guest.class, "builtins.js");
    private static final Source ACCESSORS = Sandbox.script(Guest.class, "accessors.js");
    private static final Source CURL = Sandbox.script(Guest.class, "curl.js");
    private static final Source SQL = Sandbox.script(Guest.class, "sql.js");
    private static final Source PUBLISH = Sandbox.script(Guest.class, "publish.js");
    private static final Source TIMERS = Sandbox.script(Guest.class, "timers.js");
    private static final Source QUERIES = Sandbox.script(Guest.class, "queries.js");

    /** How {@code bootstrap.js} names a body that an iterator gives. */
    private static final String IN_PARTS = "PARTS";

    private final HostCalls calls;
    private final Cursors cursors;
    private final Value functions;
    private final Value undefined;
    private final boolean strictDocuments;
    private final Documents documents;
    private final ValueJson json;
    private final Value raise;
    private final Value describe;
    private final Value parse;
    private final Value buffer;

    /** Prepares a context that has run nothing yet and that this thread has entered. */
    public Guest(Context context, HandlerSpec spec, UserCode code, HandlerHost host) {
        context.initialize("js");
        var clock = host.clock();
        context.eval(DATES).executeVoid(clock == null ? null : (ProxyExecutable) arguments -> (double) clock.millis());
        var insight = new Insight(host, code);
        calls = new HostCalls(this, insight);
        strictDocuments = spec.strictDocuments();
        documents = new Documents();
        json = new ValueJson(context, documents);
        var bridge = new HostBridge(this, spec, host, calls);
        functions = context.eval(BOOTSTRAP).execute(callable(bridge.functions()), bridge.aliases());
        undefined = functions.getMember("undefined");
        raise = functions.getMember("raise");
        describe = functions.getMember("describe");
        parse = functions.getMember("parse");
        buffer = functions.getMember("buffer");
        insight.ask(functions.getMember("where"));
        var kit = functions.getMember("kit");
        install(context, BUILTINS, new BuiltinBridge(this).functions(), kit);
        install(context, ACCESSORS, new AccessBridge(this, spec, host, calls).functions(), kit);
        install(context, CURL, new CurlBridge(this, spec, host, calls).functions(), kit);
        install(context, SQL, new SqlBridge(this, spec, host, calls).functions(), kit);
        install(context, PUBLISH, new PublishBridge(this, spec, host, calls).functions(), kit);
        install(context, TIMERS, new TimerBridge(spec, host, calls).functions(), kit);
        cursors = new Cursors(host.queryCursors());
        install(context, QUERIES, new QueryBridge(this, spec, host, calls, cursors).functions(), kit);
    }

    private void install(Context context, Source script, Map<String, Object> host, Value kit) {
        context.eval(script).executeVoid(callable(host), kit);
    }

    private ProxyObject callable(Map<String, Object> host) {
        var functions = new HashMap<>(host);
        functions.replaceAll((name, value) -> value instanceof ProxyExecutable function ? careful(function) : value);
        return ProxyObject.fromMap(functions);
    }

    /**
     * Returns a function that reports a wrong argument as an error of the code. Our scripts check their arguments, but
     * code can change what they check with, such as prototypes and the lengths of its buffers.
     */
    private ProxyExecutable careful(ProxyExecutable function) {
        return arguments -> {
            try {
                return function.execute(arguments);
            } catch (ClassCastException
                    | UnsupportedOperationException
                    | IndexOutOfBoundsException
                    | IllegalArgumentException
                    | NullPointerException e) {
                if (calls.isDefect(e)) {
                    throw e;
                }
                throw raise("TypeError", "An argument does not have the type that it claims");
            }
        };
    }

    /** Returns, once, an exception that the host threw and that is not a HostFailure. */
    @Nullable
    public Throwable takeDefect() {
        return calls.takeDefect();
    }

    /** Frees the resources that the ended invocation left open. */
    public void endInvocation() {
        cursors.closeAll();
    }

    /** Returns what code gets for a stored document. */
    Object value(String id, StoredDocument document) {
        if (document.binary()) {
            return arrayBuffer(document.body());
        }
        try {
            return read(document.body());
        } catch (MalformedJson e) {
            throw raise("EventingError", "Document " + id + " is not valid JSON: " + e.getMessage());
        }
    }

    public Value undefined() {
        return undefined;
    }

    /** Returns the object whose functions call a handler's entry points. */
    public Value entryPoints(
            @Nullable Value onUpdate,
            @Nullable Value onDelete,
            @Nullable Value onDeploy,
            @Nullable Value onRequest,
            @Nullable Value onEvent) {
        return functions.invokeMember("entryPoints", onUpdate, onDelete, onDeploy, onRequest, onEvent);
    }

    /** Gives a receiver what OnRequest has returned, in the shape that {@code bootstrap.js} gives it. */
    public void respond(Value answer, ResponseReceiver to) {
        int status = answer.getArrayElement(0).asInt();
        List<WebResponse.Header> headers = headers(answer.getArrayElement(1));
        String how = answer.getArrayElement(2).asString();
        Value body = answer.getArrayElement(3);
        if (how.equals(IN_PARTS)) {
            new StreamedBody(this, body).send(status, headers, to);
        } else {
            to.whole(new WebResponse(status, headers, body(WebBody.Kind.valueOf(how), body)));
        }
    }

    private WebBody body(WebBody.Kind kind, Value body) {
        byte[] bytes = switch (kind) {
            case NONE -> new byte[0];
            case TEXT -> body.asString().getBytes(StandardCharsets.UTF_8);
            case BYTES -> Buffers.bytes(body);
            case JSON -> body(body);
        };
        return new WebBody(kind, bytes);
    }

    private List<WebResponse.Header> headers(Value lines) {
        try {
            return ResponseHeaders.read(lines);
        } catch (ResponseHeaders.IllegalHeader e) {
            throw raise("TypeError", e.words());
        }
    }

    private byte[] body(Value body) {
        byte[] bytes = json(body);
        if (bytes == null) {
            throw raise("TypeError", "The body that OnRequest returned is a function or a symbol and has no JSON");
        }
        return bytes;
    }

    /**
     * Returns what JSON.stringify makes of a value, except that unchanged parts of documents keep their bytes; null for
     * undefined, functions and symbols.
     */
    byte @Nullable [] json(Value value) {
        var out = new JsonWriter(0);
        return json.write(value, out) ? out.toBytes() : null;
    }

    /** Returns the JSON, without white space if asked for, of an object or array of a document; null for any other value. */
    @Nullable
    String documentText(Value value, boolean compact) {
        var out = new JsonWriter(0);
        return json.writeDocument(value, out, compact) ? out.toString() : null;
    }

    /** Returns what code gets for a JSON text, which must not change afterwards. This thread has entered the context. */
    public Object read(byte[] text) throws MalformedJson {
        if (strictDocuments) {
            return parse(text);
        }
        try {
            return documents.read(text);
        } catch (JSException e) {
            throw raise("RangeError", e.getRawMessage());
        }
    }

    /** Returns what JSON.parse makes of a text. */
    public Value parse(byte[] json) throws MalformedJson {
        try {
            return parse.execute(new String(json, StandardCharsets.UTF_8));
        } catch (PolyglotException e) {
            if (Fault.of(e) == Fault.CODE && e.isGuestException()) {
                JsonCursor.check(json);
            }
            throw e;
        }
    }

    public Value arrayBuffer(byte[] bytes) {
        return buffer.execute(ByteBuffer.wrap(bytes));
    }

    /** Returns the class and message of a thrown value. May run code of that value. */
    public String describe(Value thrown) {
        return describe.execute(thrown).asString();
    }

    RuntimeException raise(String javaScriptClass, String message) {
        throw raise(javaScriptClass, message, 0, "");
    }

    RuntimeException raise(HostFailure failure) {
        throw raise(failure.kind().javaScriptClass(), failure.description(), failure.code(), failure.name());
    }

    private RuntimeException raise(String javaScriptClass, String message, int code, String name) {
        raise.executeVoid(javaScriptClass, message, code, name);
        throw new IllegalStateException("raise returned");
    }
}
