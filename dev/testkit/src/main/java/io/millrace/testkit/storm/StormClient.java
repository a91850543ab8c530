package io.millrace.testkit.storm;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An HTTP client with an address and one connection of its own, for one thread; it cannot take much CPU time. */
final class StormClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(60).toMillis();
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int HEXADECIMAL = 16;

    private final StormTarget target;
    private final @Nullable InetAddress address;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    StormClient(StormTarget target, @Nullable InetAddress address) {
        this.target = target;
        this.address = address;
    }

    /** Sends a request and reads its response to the end; returns the status, or 0 if the connection broke. */
    int call(String method, String path, String type, byte[] body) {
        try {
            Socket open = connected();
            open.getOutputStream().write(target.request(method, path, type, body));
            return answer();
        } catch (IOException e) {
            close();
            return 0;
        }
    }

    private Socket connected() throws IOException {
        Socket open = socket;
        if (open == null) {
            open = new Socket();
            open.bind(new InetSocketAddress(address, 0));
            open.setSoTimeout(TIMEOUT_MILLIS);
            open.setTcpNoDelay(true);
            open.connect(target.address(), TIMEOUT_MILLIS);
            socket = open;
            in = new BufferedInputStream(open.getInputStream(), BUFFER_BYTES);
        }
        return open;
    }

    private int answer() throws IOException {
        int status = Integer.parseInt(line().split(" ")[1]);
        long length = 0;
        boolean chunked = false;
        boolean last = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(
                        lower.substring("content-length:".length()).strip());
            }
            chunked |= lower.startsWith("transfer-encoding:") && lower.endsWith("chunked");
            last |= lower.startsWith("connection:") && lower.endsWith("close");
        }
        if (chunked) {
            for (long piece = size(); piece > 0; piece = size()) {
                skip(piece + 2);
            }
            line();
        } else {
            skip(length);
        }
        if (last) {
            close();
        }
        return status;
    }

    private long size() throws IOException {
        return Long.parseLong(line(), HEXADECIMAL);
    }

    private InputStream input() throws IOException {
        InputStream open = in;
        if (open == null) {
            throw new EOFException();
        }
        return open;
    }

    private void skip(long bytes) throws IOException {
        input().skipNBytes(bytes);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = input().read(); next != '\n'; next = input().read()) {
            if (next < 0) {
                throw new EOFException();
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /** Closes the connection; the next call opens another one. */
    @Override
    public void close() {
        Socket open = socket;
        socket = null;
        in = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // it is gone in any case
            }
        }
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
