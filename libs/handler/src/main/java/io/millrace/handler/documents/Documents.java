package io.millrace.handler.documents;

import com.oracle.truffle.api.object.HiddenKey;
import com.oracle.truffle.api.object.IncompatibleLocationException;
import com.oracle.truffle.api.object.Location;
import com.oracle.truffle.api.object.Shape;
import com.oracle.truffle.js.runtime.JSContext;
import com.oracle.truffle.js.runtime.JSRealm;
import com.oracle.truffle.js.runtime.builtins.JSArray;
import com.oracle.truffle.js.runtime.builtins.JSArrayObject;
import com.oracle.truffle.js.runtime.builtins.JSOrdinary;
import com.oracle.truffle.js.runtime.objects.JSDynamicObject;
import com.oracle.truffle.js.runtime.objects.JSObject;
import com.oracle.truffle.js.runtime.objects.JSObjectUtil;
import com.oracle.truffle.js.runtime.objects.Null;
import com.oracle.truffle.js.runtime.objects.Undefined;
import io.millrace.json.MalformedJson;
import org.jspecify.annotations.Nullable;

/**
 * Makes the documents of one context: ordinary objects and arrays of the engine whose members and elements are decoded
 * when something asks for them. See RATIONALE.md.
 */
public final class Documents {
    /** Under which an object of a document has its {@link ObjectSource}. */
    private static final HiddenKey SOURCE = new HiddenKey("source");

    private final JSRealm realm;
    private final JSContext context;
    private final Layouts layouts = new Layouts(this);
    private final Class<?> objectClass;
    private final Shape emptyShape;
    private final Location sourceLocation;
    private @Nullable Layout rootLayout;

    /** Prepares for the context that this thread has entered. */
    public Documents() {
        realm = JSRealm.get(null);
        context = realm.getContext();
        var empty = JSOrdinary.create(context, realm);
        objectClass = empty.getClass();
        emptyShape = empty.getShape();
        sourceLocation =
                objectWithPlaceForSource().getShape().getProperty(SOURCE).getLocation();
    }

    /** Returns what code gets for a JSON text, which must not change afterwards. */
    public Object read(byte[] text) throws MalformedJson {
        var index = JsonIndex.of(text);
        Object value = value(index, 0, rootLayout);
        if (value instanceof ObjectSource root) {
            rootLayout = root.layout;
        }
        return visible(value);
    }

    /** Returns the value of an entry: a scalar of the engine, or the source of an object or array. */
    Object value(JsonIndex index, int slot, @Nullable Layout expected) {
        return switch (index.kind(slot)) {
            case JsonIndex.NULL -> Null.instance;
            case JsonIndex.TRUE -> Boolean.TRUE;
            case JsonIndex.FALSE -> Boolean.FALSE;
            case JsonIndex.SMALL_INTEGER -> JsonText.smallInteger(index, slot);
            case JsonIndex.NUMBER -> JsonText.number(index, slot);
            case JsonIndex.ARRAY -> array(index, slot);
            case JsonIndex.OBJECT -> object(index, slot, layouts.of(index, slot, expected));
            default -> Layouts.engineString(JsonText.string(index, slot));
        };
    }

    private ObjectSource object(JsonIndex index, int slot, Layout layout) {
        var object = JSOrdinary.create(context, realm);
        var source = new ObjectSource(this, index, slot, layout, object);
        try {
            // the members of the shape take no room in the object, so that it can have all of them at once
            sourceLocation.set(object, source, emptyShape, layout.shape);
        } catch (IncompatibleLocationException e) {
            throw new IllegalStateException("an object has no place for its source", e);
        }
        return source;
    }

    private ArraySource array(JsonIndex index, int slot) {
        var source = new ArraySource(this, index, slot);
        source.belongsTo(JSArray.createLazyArray(context, realm, source, source.size()));
        return source;
    }

    JSObject objectWithPlaceForSource() {
        var object = JSOrdinary.create(context, realm);
        JSObjectUtil.putHiddenProperty(object, SOURCE, Undefined.instance);
        return object;
    }

    /** Returns what code sees of a value: in place of a source its object or array. */
    static Object visible(Object value) {
        return value instanceof ObjectSource object
                ? object.object
                : value instanceof ArraySource array ? array.array() : value;
    }

    /** Returns where an object of a document comes from, or null for any other object. */
    @Nullable
    ObjectSource sourceOf(JSDynamicObject object) {
        // an object's first property keeps its place
        return object.getClass() == objectClass
                        && sourceLocation.get(object, false) instanceof ObjectSource source
                        && source.object == object
                ? source
                : null;
    }

    /** Returns where an array of a document comes from, or null for any other array and one whose elements changed. */
    static @Nullable ArraySource sourceOf(JSArrayObject array) {
        return array.getArray() instanceof ArraySource source ? source : null;
    }

    /** Returns whether a value is an object of a document, or an array whose elements have not been changed. */
    boolean areIn(Object value) {
        return value instanceof JSArrayObject array
                ? sourceOf(array) != null
                : value instanceof JSDynamicObject object && sourceOf(object) != null;
    }

    JSDynamicObject objectPrototype() {
        return realm.getObjectPrototype();
    }

    JSDynamicObject arrayPrototype() {
        return realm.getArrayPrototype();
    }

    static ObjectSource requiredSource(JSDynamicObject object) {
        return (ObjectSource) JSObjectUtil.getHiddenProperty(object, SOURCE);
    }
}
