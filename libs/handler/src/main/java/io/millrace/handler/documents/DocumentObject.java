package io.millrace.handler.documents;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * An object of a document. Its members are in JavaScript's order: array indexes ascending, then the others in order of
 * creation; of members with the same key the last one's value counts, at the first one's place.
 */
final class DocumentObject extends DocumentNode implements ProxyObject {
    private static final int LINEAR_SEARCH_MEMBERS = 8;
    /** After how many steps for one key the hash table is abandoned; random keys do not reach it. */
    private static final int CROWD = 100;
    /** The greatest array index, 2^32 - 2. */
    private static final long MAX_ARRAY_INDEX = 0xffff_fffeL;

    private static final int NOT_FOUND = -1;
    /** The slot of a key that was added and is therefore not in the index. */
    private static final int ADDED = -1;

    private static final int ASSIGNED = -1;

    private int size = -1;
    /** Decoded keys; null until asked for. */
    private @Nullable String[] keys = new String[0];

    private int[] hashes = new int[0];
    private int[] keySlots = new int[0];
    /** Where the values lie in the index; ASSIGNED for one that code has set. */
    private int[] valueSlots = new int[0];
    /** Decoded or assigned values; null until asked for. */
    private @Nullable Object[] values = new Object[0];
    /** From hash to member, open addressing, 0 for free and otherwise the member's number plus 1; empty when few. */
    private int[] table = new int[0];

    /** Replaces the table when a document has many keys with equal hashes; null otherwise. See RATIONALE.md. */
    private @Nullable Map<String, Integer> crowded;

    /** How many members, the first ones, have array indexes as keys. */
    private int arrayIndexes;

    DocumentObject(ScriptContext script, JsonIndex index, int slot, @Nullable DocumentNode parent) {
        super(script, index, slot, parent);
    }

    @Override
    public boolean hasMember(String key) {
        return find(key) != NOT_FOUND || isMarker(key);
    }

    @Override
    public @Nullable Object getMember(String key) {
        if (isMarker(key)) {
            return script.marker(this);
        }
        int member = find(key);
        return member == NOT_FOUND ? script.undefined() : value(member);
    }

    @Override
    public Object getMemberKeys() {
        open();
        var names = new String[size];
        for (int i = 0; i < size; i++) {
            names[i] = key(i);
        }
        return new Keys(names);
    }

    @Override
    public void putMember(String key, Value value) {
        int member = find(key);
        if (member == NOT_FOUND) {
            if (key.equals("__proto__")) {
                return; // sets an object's prototype, which is not part of a document
            }
            member = add(key);
        }
        values[member] = stored(value);
        valueSlots[member] = ASSIGNED;
        markChanged();
    }

    @Override
    public boolean removeMember(String key) {
        int member = find(key);
        if (member == NOT_FOUND) {
            return false;
        }
        shift(member + 1, member, size - member - 1);
        if (member < arrayIndexes) {
            arrayIndexes--;
        }
        size--;
        keys[size] = null;
        values[size] = null;
        rebuildTable();
        markChanged();
        return true;
    }

    @Override
    void writeChanged(JsonWriter out, boolean compact) {
        open();
        int toJson = find(TO_JSON);
        if (toJson != NOT_FOUND && values[toJson] instanceof Value method && method.canExecute()) {
            out.json(script.stringifyByMethod(this, method));
            return;
        }
        out.raw('{');
        boolean first = true;
        for (int i = 0; i < size; i++) {
            int before = out.length();
            if (!first) {
                out.raw(',');
            }
            int keySlot = keySlots[i];
            if (keySlot == ADDED) {
                out.string(key(i));
            } else {
                out.raw(index.text, index.start(keySlot), index.end(keySlot));
            }
            out.raw(':');
            if (!writeValue(values[i], valueSlots[i], out, compact)) {
                out.truncate(before);
                continue;
            }
            first = false;
        }
        out.raw('}');
    }

    private Object value(int member) {
        Object value = values[member];
        if (value == null) {
            value = decode(valueSlots[member]);
            values[member] = value;
        }
        return value;
    }

    private String key(int member) {
        String key = keys[member];
        if (key == null) {
            key = JsonText.string(index, keySlots[member]);
            keys[member] = key;
        }
        return key;
    }

    /** Reads the positions of the members on first use. */
    private void open() {
        if (size >= 0) {
            return;
        }
        int count = index.count(slot);
        keys = new String[count];
        hashes = new int[count];
        keySlots = new int[count];
        valueSlots = new int[count];
        values = new Object[count];
        size = 0;
        rebuildTable();
        boolean digits = false;
        int child = index.firstChild(slot);
        for (int i = 0; i < count; i++) {
            int hash = JsonText.hashOfString(index, child);
            int earlier = find(child, hash);
            if (earlier == NOT_FOUND) {
                append(null, hash, child);
            } else {
                keySlots[earlier] = child;
                valueSlots[earlier] = index.next(child);
            }
            byte first = index.text[index.start(child) + 1];
            digits |= first >= '0' && first <= '9' || first == '\\';
            child = index.next(index.next(child));
        }
        if (digits) {
            sortArrayIndexes();
        }
    }

    private int find(String key) {
        open();
        int hash = key.hashCode();
        if (table.length == 0) {
            for (int i = 0; i < size; i++) {
                if (hashes[i] == hash && keyEquals(i, key)) {
                    return i;
                }
            }
            return NOT_FOUND;
        }
        if (crowded != null) {
            return crowded.getOrDefault(key, NOT_FOUND);
        }
        int steps = 0;
        for (int at = spread(hash); ; at = at + 1 & table.length - 1) {
            int member = table[at] - 1;
            if (member < 0 || hashes[member] == hash && keyEquals(member, key)) {
                return member;
            }
            if (++steps > CROWD) {
                return crowd().getOrDefault(key, NOT_FOUND);
            }
        }
    }

    /** Finds the member that has the same key as the one at a slot of the index. */
    private int find(int keySlot, int hash) {
        if (table.length == 0) {
            for (int i = 0; i < size; i++) {
                if (hashes[i] == hash && key(i).equals(JsonText.string(index, keySlot))) {
                    return i;
                }
            }
            return NOT_FOUND;
        }
        if (crowded != null) {
            return crowded.getOrDefault(JsonText.string(index, keySlot), NOT_FOUND);
        }
        int steps = 0;
        for (int at = spread(hash); ; at = at + 1 & table.length - 1) {
            int member = table[at] - 1;
            if (member < 0 || hashes[member] == hash && key(member).equals(JsonText.string(index, keySlot))) {
                return member;
            }
            if (++steps > CROWD) {
                return crowd().getOrDefault(JsonText.string(index, keySlot), NOT_FOUND);
            }
        }
    }

    private Map<String, Integer> crowd() {
        Map<String, Integer> members = new HashMap<>();
        for (int i = 0; i < size; i++) {
            members.put(key(i), i);
        }
        crowded = members;
        return members;
    }

    private boolean keyEquals(int member, String key) {
        String known = keys[member];
        if (known != null) {
            return known.equals(key);
        }
        if (!JsonText.stringEquals(index, keySlots[member], key)) {
            return false;
        }
        keys[member] = key;
        return true;
    }

    private int add(String key) {
        long rank = arrayIndex(key);
        append(key, key.hashCode(), ADDED);
        if (rank < 0) {
            return size - 1;
        }
        int place = size - 1;
        while (place > 0 && (place > arrayIndexes || arrayIndex(key(place - 1)) > rank)) {
            place--;
        }
        arrayIndexes++;
        if (place < size - 1) {
            moveLastTo(place);
        }
        return place;
    }

    private void moveLastTo(int place) {
        String key = keys[size - 1];
        int hash = hashes[size - 1];
        shift(place, place + 1, size - 1 - place);
        keys[place] = key;
        hashes[place] = hash;
        keySlots[place] = ADDED;
        valueSlots[place] = ASSIGNED;
        values[place] = null;
        rebuildTable();
    }

    private void shift(int from, int to, int count) {
        System.arraycopy(keys, from, keys, to, count);
        System.arraycopy(hashes, from, hashes, to, count);
        System.arraycopy(keySlots, from, keySlots, to, count);
        System.arraycopy(valueSlots, from, valueSlots, to, count);
        System.arraycopy(values, from, values, to, count);
    }

    private void append(@Nullable String key, int hash, int keySlot) {
        if (size == keys.length) {
            int capacity = size + (size >> 1) + 4;
            keys = Arrays.copyOf(keys, capacity);
            hashes = Arrays.copyOf(hashes, capacity);
            keySlots = Arrays.copyOf(keySlots, capacity);
            valueSlots = Arrays.copyOf(valueSlots, capacity);
            values = Arrays.copyOf(values, capacity);
        }
        keys[size] = key;
        hashes[size] = hash;
        keySlots[size] = keySlot;
        valueSlots[size] = keySlot == ADDED ? ASSIGNED : index.next(keySlot);
        values[size] = null;
        size++;
        if (crowded != null) {
            crowded.put(key(size - 1), size - 1);
        } else if (keys.length > LINEAR_SEARCH_MEMBERS) {
            if (table.length < size * 2) {
                rebuildTable();
            } else {
                enterInTable(size - 1);
            }
        }
    }

    private void rebuildTable() {
        if (crowded != null) {
            crowd();
        } else if (keys.length > LINEAR_SEARCH_MEMBERS) {
            int capacity = Integer.highestOneBit(keys.length) * 4;
            if (table.length == capacity) {
                Arrays.fill(table, 0);
            } else {
                table = new int[capacity];
            }
            for (int i = 0; i < size; i++) {
                enterInTable(i);
            }
        }
    }

    private void enterInTable(int member) {
        int at = spread(hashes[member]);
        while (table[at] != 0) {
            at = at + 1 & table.length - 1;
        }
        table[at] = member + 1;
    }

    private int spread(int hash) {
        return (hash ^ hash >>> 16) * 0x9E3779B9 >>> Integer.numberOfLeadingZeros(table.length) + 1;
    }

    /** Puts members whose keys are array indexes first, ascending, and leaves the others as they are. */
    private void sortArrayIndexes() {
        var order = new Integer[size];
        var ranks = new long[size];
        for (int i = 0; i < size; i++) {
            order[i] = i;
            long rank = arrayIndex(key(i));
            ranks[i] = rank < 0 ? Long.MAX_VALUE : rank;
            arrayIndexes += rank < 0 ? 0 : 1;
        }
        Arrays.sort(order, (a, b) -> Long.compare(ranks[a], ranks[b]));
        var oldKeys = keys.clone();
        var oldHashes = hashes.clone();
        var oldKeySlots = keySlots.clone();
        var oldValueSlots = valueSlots.clone();
        var oldValues = values.clone();
        for (int i = 0; i < size; i++) {
            keys[i] = oldKeys[order[i]];
            hashes[i] = oldHashes[order[i]];
            keySlots[i] = oldKeySlots[order[i]];
            valueSlots[i] = oldValueSlots[order[i]];
            values[i] = oldValues[order[i]];
        }
        rebuildTable();
    }

    private static long arrayIndex(String key) {
        int length = key.length();
        if (length == 0 || length > 10 || key.charAt(0) == '0' && length > 1) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < length; i++) {
            int digit = key.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value <= MAX_ARRAY_INDEX ? value : -1;
    }

    @Override
    public String toString() {
        return "Object"; // appears in the engine's messages
    }

    /** Names of members at one moment. */
    private record Keys(String[] names) implements ProxyArray {
        @Override
        public Object get(long at) {
            return names[(int) at];
        }

        @Override
        public void set(long at, Value value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long getSize() {
            return names.length;
        }
    }
}
