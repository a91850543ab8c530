package io.millrace.handler.documents;

import com.oracle.truffle.api.strings.TruffleString;
import com.oracle.truffle.js.runtime.Errors;
import com.oracle.truffle.js.runtime.objects.JSAttributes;
import com.oracle.truffle.js.runtime.objects.JSObjectUtil;
import io.millrace.handler.HandlerLimits;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The layouts that were used most recently. */
final class Layouts {
    private static final int SIZE = 1024;

    private final Documents documents;
    /** By hash of the names; an entry is replaced by the next layout that falls into its place. */
    private final @Nullable Layout[] table = new Layout[SIZE];
    /** How many members the layouts in the table have had together since it was last empty. */
    private int members;

    Layouts(Documents documents) {
        this.documents = documents;
    }

    /** Returns the layout of an object, which is often the expected one. */
    Layout of(JsonIndex index, int slot, @Nullable Layout expected) {
        if (expected != null && expected.fits(index, slot)) {
            return expected;
        }
        int place = hash(index, slot) & SIZE - 1;
        var known = table[place];
        if (known == null || !known.fits(index, slot)) {
            known = build(index, slot);
            keep(place, known);
        }
        return known;
    }

    private void keep(int place, Layout layout) {
        members += layout.size();
        if (members > HandlerLimits.KNOWN_MEMBERS) {
            Arrays.fill(table, null);
            members = layout.size();
        }
        if (members <= HandlerLimits.KNOWN_MEMBERS) {
            table[place] = layout;
        }
    }

    private static int hash(JsonIndex index, int slot) {
        int hash = index.count(slot);
        int child = index.firstChild(slot);
        for (int i = index.count(slot); i > 0; i--) {
            for (int at = index.start(child), end = index.end(child); at < end; at++) {
                hash = 31 * hash + index.text[at];
            }
            child = index.next(child + 2);
        }
        return (hash ^ hash >>> 16) * 0x9E3779B9 >>> 16;
    }

    private Layout build(JsonIndex index, int slot) {
        int count = index.count(slot);
        var ends = new int[count];
        var members = new int[count];
        var places = new int[count];
        Map<String, Integer> known = LinkedHashMap.newLinkedHashMap(count);
        int bytes = 0;
        int child = index.firstChild(slot);
        for (int i = 0; i < count; i++) {
            bytes += index.end(child) - index.start(child);
            ends[i] = bytes;
            String name = JsonText.string(index, child);
            Integer earlier = known.putIfAbsent(name, known.size());
            int member = earlier == null ? known.size() - 1 : earlier;
            members[i] = member;
            places[member] = i;
            child = index.next(child + 2);
        }
        checkHashes(known);
        var names = new byte[bytes];
        child = index.firstChild(slot);
        for (int i = 0, at = 0; i < count; i++) {
            System.arraycopy(index.text, index.start(child), names, at, ends[i] - at);
            at = ends[i];
            child = index.next(child + 2);
        }
        var sample = documents.objectWithPlaceForSource();
        var keys = known.keySet().stream().map(Layouts::engineString).toArray(TruffleString[]::new);
        for (int i = 0; i < keys.length; i++) {
            JSObjectUtil.putProxyProperty(sample, keys[i], Member.at(i), JSAttributes.getDefault());
        }
        return new Layout(names, ends, members, Arrays.copyOf(places, keys.length), keys, sample.getShape());
    }

    /** The engine's tables become lists when many names have the same hash, and nothing could stop a search in them. */
    private static void checkHashes(Map<String, Integer> names) {
        if (names.size() <= HandlerLimits.MEMBERS_OF_EQUAL_HASH) {
            return;
        }
        Map<Integer, Integer> counts = new HashMap<>();
        for (var name : names.keySet()) {
            if (counts.merge(name.hashCode(), 1, Integer::sum) > HandlerLimits.MEMBERS_OF_EQUAL_HASH) {
                throw Errors.createRangeError("More than " + HandlerLimits.MEMBERS_OF_EQUAL_HASH
                        + " members of one object of the document have names with the same hash, for instance " + name);
            }
        }
    }

    static TruffleString engineString(String text) {
        return TruffleString.fromJavaStringUncached(text, TruffleString.Encoding.UTF_16);
    }
}
