package io.millrace.traces;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One span of a trace, as it is handed on to whatever it leads to (W3C Trace Context, level 1). Only changes that are followed
 * have one.
 *
 * @param high the first 8 bytes of the id of the trace
 * @param low the last 8 bytes of it; not both are 0
 * @param span the id of the span, not 0
 */
public record TraceContext(long high, long low, long span) {

    /** The name of the header. */
    public static final String HEADER = "traceparent";

    /** The length of {@link #text}. */
    public static final int TEXT_CHARS = 32;

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();
    private static final HexFormat HEX = HexFormat.of();
    private static final int HEADER_CHARS = 55;
    private static final int TRACE = 3;
    private static final int SPAN = 36;
    private static final int FLAGS = 53;

    public TraceContext {
        if ((high | low) == 0 || span == 0) {
            throw new IllegalArgumentException("The ids of a trace and a span are not 0");
        }
    }

    /** Returns the first span of a new trace. */
    public static TraceContext random() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new TraceContext(random.nextLong(), random.nextLong() | 1, random.nextLong() | 1);
    }

    /** Returns another span of the same trace. */
    public TraceContext next() {
        return new TraceContext(high, low, ThreadLocalRandom.current().nextLong() | 1);
    }

    /**
     * Reads a header {@code traceparent}.
     *
     * @return nothing if there is none, if it is not one, or if its sender does not record the trace
     */
    public static Optional<TraceContext> ofHeader(@Nullable String header) {
        if (header == null || header.length() < HEADER_CHARS || header.startsWith("ff")) {
            return Optional.empty();
        }
        boolean newer = !header.startsWith("00");
        if (header.length() > HEADER_CHARS && (!newer || header.charAt(HEADER_CHARS) != '-')) {
            return Optional.empty();
        }
        try {
            boolean recorded = (HexFormat.fromHexDigits(header, FLAGS, HEADER_CHARS) & 1) == 1;
            return recorded
                            && header.charAt(2) == '-'
                            && header.charAt(SPAN - 1) == '-'
                            && header.charAt(FLAGS - 1) == '-'
                    ? Optional.of(new TraceContext(
                            HexFormat.fromHexDigitsToLong(header, TRACE, TRACE + 16),
                            HexFormat.fromHexDigitsToLong(header, TRACE + 16, SPAN - 1),
                            HexFormat.fromHexDigitsToLong(header, SPAN, FLAGS - 1)))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the value of the header {@code traceparent}. */
    public String header() {
        return "00-" + traceId() + '-' + spanId() + "-01";
    }

    /** Returns the id of the trace: 32 hexadecimal digits. */
    public String traceId() {
        return HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }

    /** Returns the id of the span: 16 hexadecimal digits. */
    public String spanId() {
        return HEX.toHexDigits(span);
    }

    /** Returns a text of {@value #TEXT_CHARS} characters: letters, digits, hyphens and underscores. */
    public String text() {
        return ENCODER.encodeToString(
                ByteBuffer.allocate(24).putLong(high).putLong(low).putLong(span).array());
    }

    /**
     * Reads what {@link #text} has written.
     *
     * @throws IllegalArgumentException if it is not such a text
     */
    public static TraceContext parse(String text) {
        byte[] bytes = DECODER.decode(text);
        if (bytes.length != 24) {
            throw new IllegalArgumentException("A trace context has 24 bytes, not " + bytes.length);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new TraceContext(in.getLong(), in.getLong(), in.getLong());
    }
}
