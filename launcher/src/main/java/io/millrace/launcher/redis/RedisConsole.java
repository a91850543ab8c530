package io.millrace.launcher.redis;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.tls.ClientTls;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Sends single commands to a Redis, with a new connection for each. Meant for checking that a server answers, reading its
 * settings and emptying it; too slow for anything else.
 */
public final class RedisConsole {

    private static final int DEFAULT_PORT = 6379;

    private final URI uri;
    private final Duration timeout;
    private final UnaryOperator<@Nullable String> environment;

    /**
     * Creates a client for {@code redis://[[user]:password@]host[:port]}, or {@code rediss://...} for TLS with the files that
     * the environment of this process names.
     */
    public RedisConsole(String url, Duration timeout) {
        this(url, timeout, System::getenv);
    }

    /** @param environment names the files of TLS, see {@link ClientTls#ofRedis} */
    public RedisConsole(String url, Duration timeout, UnaryOperator<@Nullable String> environment) {
        this.uri = URI.create(url);
        this.timeout = timeout;
        this.environment = environment;
        if (!isAddress(url) || uri.getHost() == null) {
            throw new LauncherException("Not a Redis URL: " + url + "; use redis://host:port, or rediss://host:port");
        }
    }

    /** Returns whether this is the address of one Redis, not of a cluster. */
    public static boolean isAddress(String url) {
        return url.startsWith("redis://") || url.startsWith("rediss://");
    }

    /**
     * Sends a command and returns the reply as text, an array with one element per line.
     *
     * @throws IOException if the server cannot be reached or replies with an error
     */
    public String call(String... command) throws IOException {
        try (Socket plain = new Socket()) {
            int millis = Math.toIntExact(timeout.toMillis());
            int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
            plain.connect(new InetSocketAddress(uri.getHost(), port), millis);
            plain.setSoTimeout(millis);
            Socket socket = "rediss".equals(uri.getScheme()) ? encrypted(plain, port) : plain;
            OutputStream out = socket.getOutputStream();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            if (uri.getUserInfo() != null) {
                ask(out, in, authentication(uri.getUserInfo()));
            }
            return ask(out, in, List.of(command));
        }
    }

    private Socket encrypted(Socket plain, int port) throws IOException {
        SSLSocket socket = (SSLSocket)
                ClientTls.ofRedis(environment).getSocketFactory().createSocket(plain, uri.getHost(), port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the certificate must be that of the host
        socket.setSSLParameters(parameters);
        return socket;
    }

    /** Returns whether the server answers commands; it does not while it loads its data. */
    public boolean answers() {
        try {
            return "PONG".equals(call("PING"));
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> authentication(String userInfo) {
        int colon = userInfo.indexOf(':');
        String user = colon < 0 ? "" : userInfo.substring(0, colon);
        String password = userInfo.substring(colon + 1);
        return user.isEmpty() ? List.of("AUTH", password) : List.of("AUTH", user, password);
    }

    private static String ask(OutputStream out, InputStream in, List<String> command) throws IOException {
        StringBuilder request = new StringBuilder("*" + command.size() + "\r\n");
        for (String word : command) {
            int length = word.getBytes(StandardCharsets.UTF_8).length;
            request.append('$').append(length).append("\r\n").append(word).append("\r\n");
        }
        out.write(request.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
        return answer(in);
    }

    private static String answer(InputStream in) throws IOException {
        String line = line(in);
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', ':' -> rest;
            case '-' -> throw new IOException(rest);
            case '$' -> bulk(in, Integer.parseInt(rest));
            case '*' -> {
                List<String> elements = new ArrayList<>();
                for (int i = Integer.parseInt(rest); i > 0; i--) {
                    elements.add(answer(in));
                }
                yield String.join("\n", elements);
            }
            default -> throw new IOException("Not a Redis reply: " + line);
        };
    }

    private static String bulk(InputStream in, int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length || in.skip(2) != 2) {
            throw new EOFException("The server closed the connection within a reply");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("The server closed the connection without a reply");
            }
            line.append((char) c);
        }
        if (line.length() < 2) {
            throw new IOException("Not a Redis reply: " + line);
        }
        return line.substring(0, line.length() - 1);
    }
}
