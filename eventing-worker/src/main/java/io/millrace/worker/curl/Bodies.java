package io.millrace.worker.curl;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** Bodies of answers: read and unpacked up to a limit. */
final class Bodies {

    /** The body is longer than it may be. */
    static final class TooLong extends IOException {
        private static final long serialVersionUID = 1L;

        TooLong(long limit) {
            super("The response is larger than %d bytes".formatted(limit));
        }
    }

    private Bodies() {}

    /** @param limit in bytes */
    static byte[] read(InputStream in, long limit) throws IOException {
        byte[] body = in.readNBytes((int) Math.min(limit + 1, Integer.MAX_VALUE - 8));
        if (body.length > limit) {
            throw new TooLong(limit);
        }
        return body;
    }

    static byte[] decoded(byte[] body, String encoding, long limit) throws IOException {
        if (body.length == 0) {
            return body;
        }
        InputStream packed = new ByteArrayInputStream(body);
        return switch (encoding.strip().toLowerCase(Locale.ROOT)) {
            case "gzip", "x-gzip" -> read(new GZIPInputStream(packed), limit);
            case "deflate" -> read(new InflaterInputStream(packed, new Inflater(!zlib(body))), limit);
            default -> body;
        };
    }

    /** Whether deflated data has the header that it should have; many servers leave it out. */
    private static boolean zlib(byte[] body) {
        return body.length > 1 && (body[0] & 0x0f) == 8 && ((body[0] & 0xff) << 8 | body[1] & 0xff) % 31 == 0;
    }
}
