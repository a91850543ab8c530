package io.millrace.handler.documents;

import com.oracle.truffle.api.TruffleSafepoint;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.strings.TruffleString;
import com.oracle.truffle.js.runtime.BigInt;
import com.oracle.truffle.js.runtime.Errors;
import com.oracle.truffle.js.runtime.JSRealm;
import com.oracle.truffle.js.runtime.JSRuntime;
import com.oracle.truffle.js.runtime.Symbol;
import com.oracle.truffle.js.runtime.builtins.JSArrayObject;
import com.oracle.truffle.js.runtime.builtins.JSBigInt;
import com.oracle.truffle.js.runtime.builtins.JSBoolean;
import com.oracle.truffle.js.runtime.builtins.JSBooleanObject;
import com.oracle.truffle.js.runtime.builtins.JSNumber;
import com.oracle.truffle.js.runtime.builtins.JSOrdinary;
import com.oracle.truffle.js.runtime.builtins.JSString;
import com.oracle.truffle.js.runtime.objects.JSDynamicObject;
import com.oracle.truffle.js.runtime.objects.JSObject;
import com.oracle.truffle.js.runtime.objects.Null;
import com.oracle.truffle.js.runtime.objects.Undefined;
import io.millrace.handler.HandlerLimits;
import io.millrace.json.JsonLimits;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes what JSON.stringify makes of one value (ECMA-262, SerializeJSONProperty), except that the parts of documents
 * inside it that are not changed keep their bytes.
 */
final class ValueWriter {
    private static final TruffleString TO_JSON = Layouts.engineString("toJSON");
    private static final TruffleString LENGTH = Layouts.engineString("length");
    private static final TruffleString NO_KEY = Layouts.engineString("");

    private final Documents documents;
    private final Node node;
    private final JsonWriter out;
    private final boolean compact;
    /** Whether code has given a toJSON method to all objects, so that also those of documents must be asked. */
    private final boolean allHaveToJson;

    private JSDynamicObject[] open = new JSDynamicObject[8];
    private int depth;

    ValueWriter(Documents documents, JSRealm realm, Node node, JsonWriter out, boolean compact) {
        this.documents = documents;
        this.node = node;
        this.out = out;
        this.compact = compact;
        this.allHaveToJson = JSObject.hasProperty(realm.getObjectPrototype(), TO_JSON)
                || JSObject.hasProperty(realm.getArrayPrototype(), TO_JSON);
    }

    /** Writes a value; returns false, having written nothing, for undefined, functions and symbols. */
    boolean write(Object value) {
        if (value instanceof JSDynamicObject object && documents.sourceOf(object) instanceof ObjectSource source) {
            out.expect(source.index.text.length);
        }
        return write(value, NO_KEY, -1, null);
    }

    private boolean write(Object given, TruffleString key, long at, @Nullable ArraySource former) {
        Object value = given;
        if (value instanceof JSDynamicObject object && value != Null.instance && value != Undefined.instance) {
            if (writeUntouched(object)) {
                return true;
            }
            value = replaced(object, object, key, at);
            if (value != given && value instanceof JSDynamicObject other && writeUntouched(other)) {
                return true;
            }
        } else if (value instanceof BigInt) {
            value = replaced(value, JSRealm.get(node).getBigIntPrototype(), key, at);
        }
        return writeReplaced(value, value == given ? former : null);
    }

    /** Writes an object or array of a document by copying it, if nothing in it has been changed. */
    private boolean writeUntouched(JSDynamicObject object) {
        if (allHaveToJson) {
            return false;
        }
        if (object instanceof JSArrayObject array) {
            var source = Documents.sourceOf(array);
            if (source != null && source.isAllOf(array) && source.elementsUntouched()) {
                source.index.write(source.slot, out, compact);
                return true;
            }
            return false;
        }
        var source = documents.sourceOf(object);
        if (source != null && source.untouched()) {
            source.index.write(source.slot, out, compact);
            return true;
        }
        return false;
    }

    private Object replaced(Object value, JSDynamicObject holder, TruffleString key, long at) {
        Object method = JSObject.get(holder, TO_JSON);
        if (!JSRuntime.isCallable(method)) {
            return value;
        }
        Object name = at < 0 ? key : Layouts.engineString(Long.toString(at));
        return JSRuntime.call(method, value, new Object[] {name}, node);
    }

    private boolean writeReplaced(Object value, @Nullable ArraySource former) {
        switch (value) {
            case TruffleString text -> out.string(text.toJavaStringUncached());
            case Integer number -> out.ascii(number.toString());
            case Boolean truth -> out.ascii(truth.toString());
            case Number number -> out.number(JSRuntime.doubleValueVirtual(number));
            case BigInt number -> throw bigInt();
            case Symbol symbol -> {
                return false;
            }
            case JSDynamicObject object -> {
                return writeObject(object, former);
            }
            default -> throw Errors.createTypeError("A value of the host cannot become JSON", node);
        }
        return true;
    }

    private RuntimeException bigInt() {
        return Errors.createTypeError("Do not know how to serialize a BigInt", node);
    }

    private boolean writeObject(JSDynamicObject object, @Nullable ArraySource former) {
        if (object == Null.instance) {
            out.ascii("null");
        } else if (object == Undefined.instance || JSRuntime.isCallable(object)) {
            return false;
        } else if (JSNumber.isJSNumber(object)) {
            out.number(JSRuntime.doubleValueVirtual(JSRuntime.toNumber(object)));
        } else if (JSString.isJSString(object)) {
            out.string(JSRuntime.toString((Object) object).toJavaStringUncached());
        } else if (object instanceof JSBooleanObject truth) {
            out.ascii(Boolean.toString(JSBoolean.valueOf(truth)));
        } else if (JSBigInt.isJSBigInt(object)) {
            throw bigInt();
        } else {
            enter(object);
            if (JSRuntime.isArray(object)) {
                writeArray(object, former);
            } else {
                writeMembers(object);
            }
            depth--;
        }
        return true;
    }

    private void enter(JSDynamicObject object) {
        for (int i = 0; i < depth; i++) {
            if (open[i] == object) {
                throw Errors.createTypeError("Converting circular structure to JSON", node);
            }
        }
        if (depth == JsonLimits.MAX_DEPTH_LEVELS) {
            throw Errors.createRangeError(
                    "A document is nested at most " + JsonLimits.MAX_DEPTH_LEVELS + " levels deep", node);
        }
        if (depth == open.length) {
            open = Arrays.copyOf(open, depth * 2);
        }
        open[depth++] = object;
    }

    // ---- objects

    private void writeMembers(JSDynamicObject object) {
        var source = documents.sourceOf(object);
        // the engine gives objects that are used as maps one shape, whatever their names
        boolean map = !JSOrdinary.isJSOrdinaryObject(object);
        var names = source == null || map ? null : source.layout.namesOf(object);
        List<TruffleString> keys = names == null ? JSObject.enumerableOwnNames(object) : names.keys();
        boolean first = true;
        out.raw('{');
        for (int i = 0; i < keys.size(); i++) {
            TruffleSafepoint.poll(node);
            int before = out.length();
            if (!first) {
                out.raw(',');
            }
            // a toJSON method can have changed the object
            int member = source == null
                    ? Member.NONE
                    : names != null && names.areOf(object) ? names.members()[i] : Member.numberOf(object, keys.get(i));
            if (writeNamed(object, source, keys.get(i), member)) {
                first = false;
            } else {
                out.truncate(before);
            }
        }
        out.raw('}');
    }

    private boolean writeNamed(JSDynamicObject object, @Nullable ObjectSource source, TruffleString name, int member) {
        if (source != null && member != Member.NONE) {
            source.layout.writeName(member, out);
            out.raw(':');
            return writeMember(source, member, name);
        }
        out.string(name.toJavaStringUncached());
        out.raw(':');
        return write(JSObject.get(object, name), name, -1, null);
    }

    private boolean writeMember(ObjectSource source, int member, TruffleString name) {
        int slot = source.valueSlot(member);
        Object known = source.known(member);
        if (slot < 0) {
            return known != null && write(known, name, -1, null);
        }
        return writeKnown(source.index, slot, known, name, -1);
    }

    /** Writes a value that has not been assigned. */
    private boolean writeKnown(JsonIndex index, int slot, @Nullable Object known, TruffleString key, long at) {
        boolean nested = index.kind(slot) >= JsonIndex.ARRAY;
        if (nested && known instanceof ObjectSource object) {
            return write(object.object, key, at, null);
        }
        if (nested && known instanceof ArraySource array) {
            return write(array.array(), key, at, array);
        }
        index.write(slot, out, compact);
        return true;
    }

    // ---- arrays

    /** @param former where the elements come from, if that is known; they may have been changed since */
    private void writeArray(JSDynamicObject array, @Nullable ArraySource former) {
        var now = array instanceof JSArrayObject plain ? Documents.sourceOf(plain) : null;
        var source = now == null ? former : now;
        long length = JSRuntime.toLength(JSObject.get(array, LENGTH));
        if (length > HandlerLimits.DOCUMENT_ARRAY_ELEMENTS) {
            throw Errors.createRangeError(
                    "An array of a document has at most " + HandlerLimits.DOCUMENT_ARRAY_ELEMENTS + " elements, not "
                            + length,
                    node);
        }
        out.raw('[');
        for (long i = 0; i < length; i++) {
            TruffleSafepoint.poll(node);
            if (i > 0) {
                out.raw(',');
            }
            if (!writeElement(array, source, i)) {
                out.ascii("null");
            }
        }
        out.raw(']');
    }

    private boolean writeElement(JSDynamicObject array, @Nullable ArraySource source, long at) {
        if (source == null || at >= source.size()) {
            return write(JSObject.get(array, at), NO_KEY, at, null);
        }
        int i = (int) at;
        Object known = source.known(i);
        if (array instanceof JSArrayObject plain && plain.getArray() == source) {
            return writeKnown(source.index, source.slotOf(i), known, NO_KEY, at);
        }
        Object value = JSObject.get(array, at);
        if (value.equals(known)) {
            source.index.write(source.slotOf(i), out, compact);
            return true;
        }
        return write(value, NO_KEY, at, known instanceof ArraySource below && below.array() == value ? below : null);
    }
}
