package io.millrace.subdocservice.rest.bulk;

import java.util.Arrays;

/** Splits a stream of bytes into lines. Stores at most one incomplete line, and none that exceeds the limit. */
final class LineSplitter {

    /** Takes the lines, each without the byte 0x0a that ends it. */
    interface Lines {

        /** Takes {@code bytes[from]} to {@code bytes[to - 1]}, which are valid only during the call. */
        void line(byte[] bytes, int from, int to);

        /** Called for a line that exceeds the limit. */
        void tooLong();
    }

    private static final byte[] NOTHING = {};
    private static final int KEPT_CAPACITY = 256 * 1024;

    private final int maxLineBytes;
    private final Lines lines;
    private byte[] carry = NOTHING;
    private int carried;
    private boolean overlong;

    LineSplitter(int maxLineBytes, Lines lines) {
        this.maxLineBytes = maxLineBytes;
        this.lines = lines;
    }

    void accept(byte[] bytes, int length) {
        int from = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                finishLine(bytes, from, i);
                from = i + 1;
            }
        }
        keep(bytes, from, length);
    }

    /** Ends the stream; passes on a last line without a newline. */
    void end() {
        if (carried > 0 || overlong) {
            finishLine(NOTHING, 0, 0);
        }
    }

    private void finishLine(byte[] bytes, int from, int to) {
        if (carried == 0 && !overlong && to - from <= maxLineBytes) {
            lines.line(bytes, from, to);
            return;
        }
        keep(bytes, from, to);
        if (overlong) {
            lines.tooLong();
        } else {
            lines.line(carry, 0, carried);
        }
        forget();
        overlong = false;
    }

    private void keep(byte[] bytes, int from, int to) {
        int length = to - from;
        if (overlong || length == 0) {
            return;
        }
        if (carried + length > maxLineBytes) {
            forget();
            overlong = true;
            return;
        }
        if (carried + length > carry.length) {
            int doubled = (int) Math.min(maxLineBytes, 2L * carry.length);
            carry = Arrays.copyOf(carry, Math.max(carried + length, doubled));
        }
        System.arraycopy(bytes, from, carry, carried, length);
        carried += length;
    }

    private void forget() {
        carried = 0;
        if (carry.length > KEPT_CAPACITY) {
            carry = NOTHING;
        }
    }
}
