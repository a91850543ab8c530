package io.millrace.handler.documents;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.object.Shape;
import com.oracle.truffle.api.strings.TruffleString;
import com.oracle.truffle.js.runtime.objects.JSDynamicObject;
import com.oracle.truffle.js.runtime.objects.JSProperty;
import com.oracle.truffle.js.runtime.objects.PropertyProxy;

/**
 * What the engine finds in place of the value of a member: to code a data property like any other, whose value is
 * decoded when it is read.
 */
final class Member extends PropertyProxy {
    static final int NONE = -1;

    private static volatile Member[] all = {};

    private final int number;

    private Member(int number) {
        this.number = number;
    }

    /** Returns the member of this number; always the same object, so that equal names give the same shape. */
    static Member at(int number) {
        var known = all;
        return number < known.length ? known[number] : grow(number);
    }

    private static synchronized Member grow(int number) {
        if (number >= all.length) {
            var more = new Member[Math.max(16, number * 2)];
            System.arraycopy(all, 0, more, 0, all.length);
            for (int i = all.length; i < more.length; i++) {
                more[i] = new Member(i);
            }
            all = more;
        }
        return all[number];
    }

    /** Returns which member of the text a property still is, or {@link #NONE} when code has defined it again. */
    static int numberOf(JSDynamicObject object, TruffleString name) {
        return numberOf(object.getShape(), name);
    }

    static int numberOf(Shape shape, TruffleString name) {
        var property = shape.getProperty(name);
        return property != null
                        && JSProperty.isProxy(property)
                        && JSProperty.getConstantProxy(property) instanceof Member member
                ? member.number
                : NONE;
    }

    @Override
    @TruffleBoundary
    public Object get(JSDynamicObject object) {
        return Documents.requiredSource(object).get(number);
    }

    @Override
    @TruffleBoundary
    public boolean set(JSDynamicObject object, Object value) {
        Documents.requiredSource(object).set(number, value);
        return true;
    }
}
