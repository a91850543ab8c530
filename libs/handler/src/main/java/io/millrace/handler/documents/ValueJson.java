package io.millrace.handler.documents;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.js.lang.JavaScriptLanguage;
import com.oracle.truffle.js.runtime.JSArguments;
import com.oracle.truffle.js.runtime.JSRealm;
import com.oracle.truffle.js.runtime.JavaScriptRootNode;
import com.oracle.truffle.js.runtime.builtins.JSFunction;
import com.oracle.truffle.js.runtime.builtins.JSFunctionData;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;

/**
 * Turns values of code into JSON. The public API shows Java nothing of a value but what code sees; a function of the
 * engine, called with the value, gets the value itself.
 */
public final class ValueJson {
    private final Documents documents;
    private final Value function;
    private JsonWriter out = new JsonWriter(0);
    private boolean compact;
    private boolean onlyDocuments;

    /** Prepares for a context, which this thread has entered. */
    public ValueJson(Context context, Documents documents) {
        this.documents = documents;
        var realm = JSRealm.get(null);
        var target = new Root(realm.getContext().getLanguage()).getCallTarget();
        var data = JSFunctionData.createCallOnly(realm.getContext(), target, 1, Layouts.engineString("json"));
        function = context.asValue(JSFunction.create(realm, data));
    }

    /**
     * Writes what JSON.stringify makes of a value, except that unchanged parts of documents keep their bytes; returns
     * false, having written nothing, for undefined, functions and symbols.
     */
    public boolean write(Value value, JsonWriter to) {
        return call(value, to, false, false);
    }

    /** Writes a value if it is an object or array of a document, without white space if asked for; otherwise returns false. */
    public boolean writeDocument(Value value, JsonWriter to, boolean withoutSpace) {
        return call(value, to, withoutSpace, true);
    }

    private boolean call(Value value, JsonWriter to, boolean withoutSpace, boolean documentsOnly) {
        out = to;
        compact = withoutSpace;
        onlyDocuments = documentsOnly;
        return function.execute(value).asBoolean();
    }

    private final class Root extends JavaScriptRootNode {
        Root(JavaScriptLanguage language) {
            super(language, null, null);
        }

        @Override
        public Object execute(VirtualFrame frame) {
            return write(JSArguments.getUserArgument(frame.getArguments(), 0));
        }

        // what the value's own code does may call this again
        @TruffleBoundary
        private boolean write(Object value) {
            if (onlyDocuments && !documents.areIn(value)) {
                return false;
            }
            return new ValueWriter(documents, JSRealm.get(this), this, out, compact).write(value);
        }

        @Override
        public boolean isInternal() {
            return true;
        }
    }
}
