package io.millrace.n1ql.value;

import io.millrace.json.JsonSkip;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The items of an array in the bytes of a document, read from the front up to the requested one. The end of an item is searched
 * only when the next one is requested, from where the item has been read to: a long item of which a few fields are read is
 * not walked through twice. Not thread-safe.
 */
final class JsonItems extends AbstractList<Value> {

    private static final int NOT_SEARCHED = -1;

    private final byte[] text;
    private final List<Value> read = new ArrayList<>();

    /** The position after the last item that was read, or {@link #NOT_SEARCHED}; after the array when all are known. */
    private int at;

    private boolean complete;

    JsonItems(byte[] text, int start) {
        this.text = text;
        read(JsonSkip.blanks(text, start + 1, text.length));
    }

    /** Reads the item at a position, or the end of the array. */
    private void read(int start) {
        switch (text[start]) {
            case ']' -> {
                at = start + 1;
                complete = true;
            }
            case '{', '[' -> {
                at = NOT_SEARCHED;
                read.add(Json.valueAt(text, start));
            }
            default -> {
                at = Json.skip(text, start);
                read.add(Json.scalar(text, start, at));
            }
        }
    }

    /** Reads the next item; returns false if there is none. */
    private boolean readNext() {
        if (!complete) {
            int behind = JsonSkip.blanks(text, endOfLast(), text.length);
            read(text[behind] == ',' ? JsonSkip.blanks(text, behind + 1, text.length) : behind);
        }
        return !complete;
    }

    private int endOfLast() {
        if (at == NOT_SEARCHED) {
            at = read.getLast() instanceof JsonObject object
                    ? object.end()
                    : ((JsonItems) ((ArrayValue) read.getLast()).items()).end();
        }
        return at;
    }

    /** Returns the position after the array, without reading further items. */
    int end() {
        return complete ? at : JsonSkip.container(text, endOfLast(), text.length, 1, JsonSkip.ANY_DEPTH);
    }

    /** Returns whether there is an item at a position, without reading further items. */
    boolean has(int index) {
        while (index >= read.size() && readNext()) {
            // up to the item
        }
        return index < read.size();
    }

    @Override
    public Value get(int index) {
        has(index);
        return read.get(index);
    }

    @Override
    public int size() {
        while (readNext()) {
            // to the end
        }
        return read.size();
    }

    @Override
    public boolean isEmpty() {
        return read.isEmpty();
    }

    @Override
    public Iterator<Value> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < read.size() || readNext();
            }

            @Override
            public Value next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return read.get(next++);
            }
        };
    }
}
