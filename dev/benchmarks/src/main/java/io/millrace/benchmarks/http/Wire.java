package io.millrace.benchmarks.http;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A protocol with one request that is repeated: its bytes, and where a response to it ends. */
interface Wire {

    /** Returned by {@link #end} when the response is not complete. */
    int INCOMPLETE = -1;

    byte[] request();

    /**
     * Returns the number of bytes of the first response in {@code received[0]} to {@code received[length - 1]}, or
     * {@link #INCOMPLETE}.
     *
     * @throws IOException if the response is an error
     */
    int end(byte[] received, int length) throws IOException;

    /** A request whose response has a status of 200 or 201. */
    static Wire http(String method, URI address, String authorization, byte[] body) {
        String head = method + ' ' + address.getRawPath() + " HTTP/1.1\r\nHost: " + address.getAuthority()
                + "\r\nAuthorization: " + authorization
                + (body.length == 0 ? "" : "\r\nContent-Type: application/json\r\nContent-Length: " + body.length)
                + "\r\n\r\n";
        return new Http(joined(head.getBytes(StandardCharsets.ISO_8859_1), body));
    }

    /** A command whose response is a status or a string that exists. */
    static Wire redis(byte[]... words) {
        byte[] request = ("*" + words.length + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        for (byte[] word : words) {
            byte[] head = ("$" + word.length + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
            request = joined(request, head, word, new byte[] {'\r', '\n'});
        }
        return new Redis(request);
    }

    private static byte[] joined(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }

    /** HTTP/1.1, with responses whose length is in a header, or in chunks. */
    record Http(byte[] request) implements Wire {

        private static final String LENGTH = "\r\ncontent-length:";
        private static final String CHUNKED = "\r\ntransfer-encoding: chunked\r\n";

        @Override
        public int end(byte[] received, int length) throws IOException {
            int head = endOfHead(received, length);
            if (head < 0) {
                return INCOMPLETE;
            }
            String text = new String(received, 0, head, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
            if (!text.startsWith("http/1.1 20")) {
                throw new IOException("Expected a response with 200 or 201, got: " + text);
            }
            if (text.contains(CHUNKED)) {
                return endOfChunks(received, head, length);
            }
            int found = text.indexOf(LENGTH);
            if (found < 0) {
                throw new IOException("Expected a response with a length or in chunks, got: " + text);
            }
            int from = found + LENGTH.length();
            int end = head
                    + Integer.parseInt(
                            text.substring(from, text.indexOf('\r', from)).strip());
            return length < end ? INCOMPLETE : end;
        }

        /** Returns where the empty chunk ends, behind which no trailers are expected, or {@link #INCOMPLETE}. */
        private static int endOfChunks(byte[] received, int from, int length) {
            int at = from;
            while (true) {
                int line = at;
                while (line < length && received[line] != '\n') {
                    line++;
                }
                if (line >= length) {
                    return INCOMPLETE;
                }
                int size = Integer.parseInt(new String(received, at, line - 1 - at, StandardCharsets.ISO_8859_1), 16);
                at = line + 1 + size + 2;
                if (at > length) {
                    return INCOMPLETE;
                }
                if (size == 0) {
                    return at;
                }
            }
        }

        /** Returns where the empty line behind the headers ends, or a negative number. */
        private static int endOfHead(byte[] received, int length) {
            for (int i = 3; i < length; i++) {
                if (received[i] == '\n' && received[i - 2] == '\n') {
                    return i + 1;
                }
            }
            return INCOMPLETE;
        }
    }

    /** The protocol of Redis, with a status or one string as response. */
    record Redis(byte[] request) implements Wire {

        @Override
        public int end(byte[] received, int length) throws IOException {
            int line = 0;
            while (line < length && received[line] != '\n') {
                line++;
            }
            if (line == length) {
                return INCOMPLETE;
            }
            String text = new String(received, 0, line - 1, StandardCharsets.ISO_8859_1);
            if (text.startsWith("+")) {
                return line + 1;
            }
            if (!text.startsWith("$") || text.startsWith("$-")) {
                throw new IOException("Expected a status or a string of Redis, got: " + text);
            }
            int end = line + 1 + Integer.parseInt(text.substring(1)) + 2;
            return length < end ? INCOMPLETE : end;
        }
    }
}
