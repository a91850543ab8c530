package io.millrace.handler;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The JavaScript side of one context: its values and the functions of {@code bootstrap.js}, for Java to use. */
final class Guest {
    private static final Source BOOTSTRAP = Sandbox.script("bootstrap.js");

    private final HostBridge bridge;
    private final Value functions;
    private final Value undefined;
    private final Value nullValue;
    private final Value stringify;
    private final Value encode;
    private final Value stringifyByMethod;
    private final Value raise;
    private final Value describe;
    private final Value parse;
    private final Value buffer;
    private boolean documentEnumerated;

    /** Prepares a context that has run nothing yet. */
    Guest(Context context, HandlerSpec spec, HandlerHost host) {
        bridge = new HostBridge(this, spec, host);
        functions = context.eval(BOOTSTRAP).execute(bridge.functions(), bridge.aliases());
        undefined = functions.getMember("undefined");
        nullValue = functions.getMember("null");
        stringify = functions.getMember("stringify");
        encode = functions.getMember("encode");
        stringifyByMethod = functions.getMember("stringifyByMethod");
        raise = functions.getMember("raise");
        describe = functions.getMember("describe");
        parse = functions.getMember("parse");
        buffer = functions.getMember("buffer");
    }

    HostBridge bridge() {
        return bridge;
    }

    Value undefined() {
        return undefined;
    }

    Value nullValue() {
        return nullValue;
    }

    /** Returns the object whose functions call a handler's entry points. */
    Value entryPoints(@Nullable Value onUpdate, @Nullable Value onDelete) {
        return functions.invokeMember("entryPoints", onUpdate, onDelete);
    }

    /** Notes that somebody walks over the contents of a document. */
    void documentEnumerated() {
        documentEnumerated = true;
    }

    /**
     * Returns what JSON.stringify makes of a JavaScript value, null for undefined, functions and symbols. Views on
     * documents inside the value keep their bytes.
     */
    @Nullable
    String stringify(Value value) {
        boolean before = documentEnumerated;
        documentEnumerated = false;
        try {
            Value text = stringify.execute(value);
            if (documentEnumerated) {
                // the engine's own algorithm met a view and has re-spelt it; ours is slower
                text = encode.execute(value);
            }
            return text.isString() ? text.asString() : null;
        } finally {
            documentEnumerated = before;
        }
    }

    /** Returns the JSON of what an object's own toJSON method makes of it. */
    String stringifyByMethod(DocumentObject object, Value method) {
        return stringifyByMethod.execute(object, method).asString();
    }

    /** Returns what JSON.parse makes of a text. */
    Value parse(byte[] json) throws MalformedJson {
        try {
            return parse.execute(new String(json, StandardCharsets.UTF_8));
        } catch (PolyglotException e) {
            if (Fault.of(e) == Fault.CODE && e.isGuestException()) {
                throw MalformedJson.because(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    Value arrayBuffer(byte[] bytes) {
        return buffer.execute(ByteBuffer.wrap(bytes));
    }

    /** Returns class and message of what was thrown. Runs code of the one who threw it. */
    String describe(Value thrown) {
        return describe.execute(thrown).asString();
    }

    /** Throws a JavaScript error. Never returns; the result type lets callers say {@code throw}. */
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
