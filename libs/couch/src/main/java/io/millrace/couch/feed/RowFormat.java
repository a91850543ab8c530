package io.millrace.couch.feed;

import io.millrace.couch.document.Sequence;
import java.nio.charset.StandardCharsets;

/** How the rows of a changes feed are written. */
enum RowFormat {
    /** One JSON document with one row per line. */
    DOCUMENT {
        @Override
        byte[] head() {
            return bytes("{\"results\":[\n");
        }

        @Override
        byte[] row(long number, long seqno, boolean named, byte[] json) {
            return number == 1 ? json : joined(",\r\n", json, "");
        }

        @Override
        byte[] beat(long lastSeq, boolean withSeq) {
            return bytes("\n");
        }

        @Override
        byte[] tail(long lastSeq, long pending) {
            return bytes("\n],\n\"last_seq\":\"" + Sequence.text(lastSeq) + "\",\"pending\":" + pending + "}\n");
        }
    },

    /** One JSON document per line and row. */
    LINES {
        @Override
        byte[] head() {
            return bytes("");
        }

        @Override
        byte[] row(long number, long seqno, boolean named, byte[] json) {
            return joined("", json, "\n");
        }

        @Override
        byte[] beat(long lastSeq, boolean withSeq) {
            return bytes(withSeq ? "{\"seq\":\"" + Sequence.text(lastSeq) + "\",\"id\":null,\"changes\":[]}\n" : "\n");
        }

        @Override
        byte[] tail(long lastSeq, long pending) {
            return bytes("{\"last_seq\":\"" + Sequence.text(lastSeq) + "\",\"pending\":" + pending + "}\n");
        }
    },

    /** Server-sent events. */
    EVENTS {
        @Override
        byte[] head() {
            return bytes("");
        }

        @Override
        byte[] row(long number, long seqno, boolean named, byte[] json) {
            return joined("data: ", json, named ? "\nid: \"" + Sequence.text(seqno) + "\"\n\n" : "\n\n");
        }

        @Override
        byte[] beat(long lastSeq, boolean withSeq) {
            return bytes("event: heartbeat\ndata: \n\n");
        }

        @Override
        byte[] tail(long lastSeq, long pending) {
            return bytes("");
        }
    };

    static RowFormat of(ChangesRequest request) {
        return switch (request.feed()) {
            case NORMAL, LONGPOLL -> DOCUMENT;
            case CONTINUOUS -> LINES;
            case EVENTSOURCE -> EVENTS;
        };
    }

    abstract byte[] head();

    abstract byte[] row(long number, long seqno, boolean named, byte[] json);

    abstract byte[] beat(long lastSeq, boolean withSeq);

    abstract byte[] tail(long lastSeq, long pending);

    private static byte[] joined(String before, byte[] json, String after) {
        byte[] head = bytes(before);
        byte[] tail = bytes(after);
        byte[] all = new byte[head.length + json.length + tail.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(json, 0, all, head.length, json.length);
        System.arraycopy(tail, 0, all, head.length + json.length, tail.length);
        return all;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
