package io.millrace.streams.codec;

import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.EncodedEvent.Encoding;
import io.millrace.streams.store.Limits;
import io.millrace.streams.store.StreamsException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Deflated data (RFC 1951) as strings of Base64. */
final class Compression {

    private static final int BUFFER = 4096;

    private Compression() {}

    /** Returns the event with deflated data, or unchanged if deflating does not make it smaller. */
    static EncodedEvent deflate(EncodedEvent event) {
        if (event.dataEncoding() != Encoding.JSON) {
            return event;
        }
        String deflated =
                '"' + Base64.getEncoder().encodeToString(deflate(event.data().getBytes(StandardCharsets.UTF_8))) + '"';
        return deflated.length() < event.data().length() ? event.withData(deflated, Encoding.DEFLATE) : event;
    }

    /** Returns the event with plain JSON. */
    static EncodedEvent expand(EncodedEvent event) {
        EncodedEvent expanded = event.dataEncoding() == Encoding.JSON
                ? event
                : event.withData(expand(event, event.data(), event.dataEncoding()), Encoding.JSON);
        @Nullable String meta = expanded.meta();
        return meta == null || expanded.metaEncoding() == Encoding.JSON
                ? expanded
                : expanded.withMeta(expand(event, meta, expanded.metaEncoding()), Encoding.JSON);
    }

    private static String expand(EncodedEvent event, String text, Encoding encoding) {
        if (encoding != Encoding.DEFLATE || text.length() < 2) {
            throw StreamsException.corrupt(
                    "The data of an event of type '%s' has the encoding %s, which is not supported"
                            .formatted(event.type(), encoding));
        }
        try {
            byte[] packed = Base64.getDecoder().decode(text.substring(1, text.length() - 1));
            return new String(inflate(packed), StandardCharsets.UTF_8);
        } catch (DataFormatException | IllegalArgumentException e) {
            StreamsException failure = StreamsException.corrupt(
                    "The data of an event of type '%s' cannot be inflated".formatted(event.type()));
            failure.initCause(e);
            throw failure;
        }
    }

    private static byte[] deflate(byte[] bytes) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try {
            deflater.setInput(bytes);
            deflater.finish();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[BUFFER];
            while (!deflater.finished()) {
                out.write(buffer, 0, deflater.deflate(buffer));
            }
            return out.toByteArray();
        } finally {
            deflater.end();
        }
    }

    private static byte[] inflate(byte[] packed) throws DataFormatException {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(packed);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[BUFFER];
            while (!inflater.finished()) {
                int count = inflater.inflate(buffer);
                if (count == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                    throw new DataFormatException("Cut short");
                }
                out.write(buffer, 0, count);
                if (out.size() > Limits.MAX_EXPANDED_BYTES) {
                    throw StreamsException.tooLarge("Inflated data", out.size(), Limits.MAX_EXPANDED_BYTES);
                }
            }
            return out.toByteArray();
        } finally {
            inflater.end();
        }
    }
}
