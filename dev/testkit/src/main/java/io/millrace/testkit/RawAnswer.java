package io.millrace.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server sent on a connection of its own.
 *
 * @param status the status, 0 if the server closed the connection without an answer
 * @param late whether neither came in time
 * @param reset whether the server closed the connection before it had read all of the request, which may destroy its answer
 * @param text header and body; of a feed and of a large body only the beginning
 */
record RawAnswer(int status, boolean late, boolean reset, String text) {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PATIENCE_WITH_FEED = Duration.ofMillis(500);
    private static final int MAX_CHARS = 20_000;
    private static final Pattern LINE = Pattern.compile("HTTP/1\\.[01] (\\d{3})[^\\r\\n]*\\r\\n");
    private static final String END_OF_HEADER = "\r\n\r\n";
    private static final int FIRST_ERROR = 400;

    /** Sends a request and reads the answer. */
    static RawAnswer to(SpoiltRequest request, URI service) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(service.getHost(), service.getPort()));
            send(request, socket);
            return read(socket, request.mayBeFeed());
        }
    }

    private static void send(SpoiltRequest request, Socket socket) throws IOException {
        try {
            socket.getOutputStream().write(request.bytes());
            if (request.mayBeUnfinished()) {
                socket.shutdownOutput();
            }
        } catch (SocketException e) {
            // the server refused the request before it had all of it; its answer may be there
        }
    }

    private static RawAnswer read(Socket socket, boolean feed) throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[MAX_CHARS];
        socket.setSoTimeout((int) (feed ? PATIENCE_WITH_FEED : PATIENCE).toMillis());
        boolean timedOut = false;
        boolean reset = false;
        try {
            InputStream in = socket.getInputStream();
            for (int n = in.read(buffer); n >= 0 && text.length() < MAX_CHARS; n = in.read(buffer)) {
                text.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                if (isSuccess(text)) {
                    socket.setSoTimeout((int) PATIENCE_WITH_FEED.toMillis());
                }
            }
        } catch (SocketTimeoutException e) {
            timedOut = true;
        } catch (SocketException e) {
            reset = true;
        }
        int status = status(text);
        boolean late = timedOut && !feed && (status == 0 || status >= FIRST_ERROR);
        return new RawAnswer(status, late, reset, text.toString());
    }

    private static boolean isSuccess(StringBuilder text) {
        int status = status(text);
        return status > 0 && status < FIRST_ERROR;
    }

    private static int status(CharSequence text) {
        Matcher line = LINE.matcher(text);
        int from = 0;
        while (line.find(from) && line.start() == from) {
            int status = Integer.parseInt(line.group(1));
            if (status >= 200) {
                return status;
            }
            from = text.toString().indexOf(END_OF_HEADER, from) + END_OF_HEADER.length();
        }
        return 0;
    }
}
