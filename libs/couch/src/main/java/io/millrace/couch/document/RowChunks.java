package io.millrace.couch.document;

import io.millrace.couch.CouchResponse;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A response of a head, rows and a tail; rows are made as the client takes them. */
final class RowChunks implements CouchResponse.Chunks {

    /** Small rows are sent together. */
    private static final int CHUNK_BYTES = 64 * 1024;

    /** Makes the next row; returns null behind the last one. */
    interface Rows {
        byte @Nullable [] next();
    }

    private final byte[] separator;
    private final byte[] tail;
    private final Rows rows;
    private final Runnable end;
    private byte @Nullable [] head;
    private boolean first = true;
    private boolean ended;

    /** @param end runs when no more rows will be taken; perhaps while one is made */
    RowChunks(String head, String separator, String tail, Rows rows, Runnable end) {
        this.head = head.getBytes(StandardCharsets.UTF_8);
        this.separator = separator.getBytes(StandardCharsets.UTF_8);
        this.tail = tail.getBytes(StandardCharsets.UTF_8);
        this.rows = rows;
        this.end = end;
    }

    @Override
    public byte @Nullable [] next() {
        if (ended) {
            return null;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        if (head != null) {
            out.writeBytes(head);
            head = null;
        }
        while (out.size() < CHUNK_BYTES && !ended) {
            byte[] row = rows.next();
            if (row == null) {
                out.writeBytes(tail);
                ended = true;
            } else {
                out.writeBytes(first ? new byte[0] : separator);
                out.writeBytes(row);
                first = false;
            }
        }
        return out.toByteArray();
    }

    @Override
    public void close() {
        ended = true;
        end.run();
    }
}
