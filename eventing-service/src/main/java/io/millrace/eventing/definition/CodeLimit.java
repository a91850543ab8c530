package io.millrace.eventing.definition;

import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;

/**
 * The largest code.
 *
 * @param bytes of UTF-8
 * @param compressed whether the bytes of the compressed code count
 */
public record CodeLimit(long bytes, boolean compressed) {

    /** The largest code in bytes before it is compressed: MetaKV stores it as it is. */
    static final int MAX_BYTES = 2 << 20;

    /** What was stored is read, whatever the limit is now. */
    public static final CodeLimit STORED = new CodeLimit(Long.MAX_VALUE, false);

    /** Returns the limit that the service is configured for. */
    public static CodeLimit of(ServiceConfig config) {
        return new CodeLimit(config.whole(ServiceOption.FUNCTION_SIZE), config.flag(ServiceOption.FORCE_COMPRESS));
    }

    void require(String code) {
        byte[] utf8 = code.getBytes(StandardCharsets.UTF_8);
        if (utf8.length <= Math.min(bytes, MAX_BYTES) || bytes == Long.MAX_VALUE) {
            return;
        }
        if (utf8.length > MAX_BYTES) {
            throw FunctionsException.of(
                    ErrorCode.ERR_APPCODE_SIZE,
                    "The code has %d bytes, at most %d are allowed.".formatted(utf8.length, MAX_BYTES));
        }
        long counted = compressed ? compressedBytes(utf8) : utf8.length;
        if (counted > bytes) {
            throw FunctionsException.of(
                    ErrorCode.ERR_APPCODE_SIZE,
                    "The code has %d bytes%s, at most %d are allowed (config function_size)."
                            .formatted(counted, compressed ? " when it is compressed" : "", bytes));
        }
    }

    private static long compressedBytes(byte[] utf8) {
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(utf8);
            deflater.finish();
            byte[] buffer = new byte[8192];
            while (!deflater.finished()) {
                deflater.deflate(buffer);
            }
            return deflater.getBytesWritten();
        } finally {
            deflater.end();
        }
    }
}
