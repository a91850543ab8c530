package io.millrace.handler.documents;

import io.millrace.json.JsonScanner;
import java.nio.charset.StandardCharsets;

/** Turns the entries of a {@link JsonIndex} into what JSON.parse makes of them. */
final class JsonText {
    private static final double[] POWERS_OF_TEN = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };
    private static final int EXACT_DIGITS = 15;

    private JsonText() {}

    static String string(JsonIndex index, int slot) {
        byte[] text = index.text;
        int start = index.start(slot) + 1;
        int end = index.end(slot) - 1;
        if (index.kind(slot) == JsonIndex.PLAIN_STRING) {
            return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
        }
        return JsonScanner.decode(text, start, end);
    }

    static int smallInteger(JsonIndex index, int slot) {
        byte[] text = index.text;
        int at = index.start(slot);
        boolean negative = text[at] == '-';
        int value = 0;
        for (int i = negative ? at + 1 : at, end = index.end(slot); i < end; i++) {
            value = value * 10 + (text[i] - '0');
        }
        return negative ? -value : value;
    }

    /** Returns the double that is nearest to the number's decimal value, as JavaScript does for every number. */
    static double number(JsonIndex index, int slot) {
        byte[] text = index.text;
        int start = index.start(slot);
        int end = index.end(slot);
        boolean negative = text[start] == '-';
        long digits = 0;
        int count = 0;
        int fraction = -1;
        for (int i = negative ? start + 1 : start; i < end; i++) {
            byte b = text[i];
            if (b == '.') {
                fraction = 0;
            } else if (b >= '0' && b <= '9' && count < EXACT_DIGITS) {
                digits = digits * 10 + (b - '0');
                count++;
                fraction = fraction < 0 ? fraction : fraction + 1;
            } else {
                return Double.parseDouble(new String(text, start, end - start, StandardCharsets.ISO_8859_1));
            }
        }
        // both operands are exact, so that the one rounding of the division is the right one
        double value = fraction <= 0 ? digits : digits / POWERS_OF_TEN[fraction];
        return negative ? -value : value;
    }
}
