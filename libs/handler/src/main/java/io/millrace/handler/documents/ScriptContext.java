package io.millrace.handler.documents;

import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/** What views on documents need of the JavaScript context that reads them. */
public interface ScriptContext {

    Value undefined();

    Value nullValue();

    /** Returns whether a value is being turned into JSON for a document, so that views have to be kept as they are. */
    boolean stringifying();

    /** Returns a function that the engine takes for a view's toJSON method. */
    ProxyExecutable marker(DocumentNode node);

    /**
     * Writes what JSON.stringify makes of a JavaScript value; returns false, having written nothing, for undefined,
     * functions and symbols.
     */
    boolean stringify(Value value, JsonWriter out, boolean compact);

    /** Returns the JSON of what an object's own toJSON method makes of it. */
    String stringifyByMethod(DocumentNode object, Value method);

    /** Throws a JavaScript error. Never returns; the result type lets callers say {@code throw}. */
    RuntimeException raise(String javaScriptClass, String message);
}
