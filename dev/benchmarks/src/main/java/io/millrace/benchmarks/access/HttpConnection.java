package io.millrace.benchmarks.access;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A connection for GET requests from a chosen address; costs its own process little, unlike a client for general use. */
final class HttpConnection implements AutoCloseable {

    private static final String LENGTH = "content-length:";

    private final URI server;
    private final InetAddress from;
    private final Duration timeout;
    private @Nullable Socket socket;
    private InputStream in = InputStream.nullInputStream();

    HttpConnection(URI server, InetAddress from, Duration timeout) {
        this.server = server;
        this.from = from;
        this.timeout = timeout;
    }

    static String basic(String user, String password) {
        return "Authorization: Basic "
                + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8))
                + "\r\n";
    }

    /** Returns the status; connects again if the server has closed the connection. */
    int get(String path, String headers) throws IOException {
        Socket open = socket == null ? connect() : socket;
        String request = "GET " + path + " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\n" + headers + "\r\n";
        open.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        int length = -1;
        boolean last = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith(LENGTH)) {
                length = Integer.parseInt(lower.substring(LENGTH.length()).strip());
            }
            last |= lower.equals("connection: close");
        }
        skip(length);
        if (last) {
            close();
        }
        return status;
    }

    private Socket connect() throws IOException {
        Socket made = new Socket();
        made.setTcpNoDelay(true);
        made.setSoTimeout((int) timeout.toMillis());
        made.bind(new InetSocketAddress(from, 0));
        made.connect(new InetSocketAddress(server.getHost(), server.getPort()));
        socket = made;
        in = new BufferedInputStream(made.getInputStream());
        return made;
    }

    /** A body without a length comes in chunks. */
    private void skip(int length) throws IOException {
        if (length >= 0) {
            in.skipNBytes(length);
            return;
        }
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            in.skipNBytes(size + 2L);
        }
        line();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The server closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
