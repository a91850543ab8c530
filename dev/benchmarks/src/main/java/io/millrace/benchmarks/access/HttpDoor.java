package io.millrace.benchmarks.access;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;

/** HTTP through the gateway, with Basic authentication. */
final class HttpDoor implements Door {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String WHO = "/api/v1/session";
    private static final int OK = 200;

    private final URI gateway;
    private final String login;
    private final String path;

    /** @param path what the user reads */
    HttpDoor(URI gateway, String user, String password, String path) {
        this.gateway = gateway;
        this.login = HttpConnection.basic(user, password);
        this.path = path;
    }

    @Override
    public Guesser guesser(InetAddress from) {
        HttpConnection connection = new HttpConnection(gateway, from, TIMEOUT);
        return new Guesser() {
            @Override
            public boolean guess(String user, String password) throws IOException {
                return connection.get(WHO, HttpConnection.basic(user, password)) == OK;
            }

            @Override
            public void knock() throws IOException {
                if (connection.get(WHO, "") == OK) {
                    throw new IOException("A request without a login was answered");
                }
            }

            @Override
            public void close() throws IOException {
                connection.close();
            }
        };
    }

    @Override
    public Visitor visitor() {
        HttpConnection connection = new HttpConnection(gateway, InetAddress.getLoopbackAddress(), TIMEOUT);
        return new Visitor() {
            @Override
            public int work() throws IOException {
                int status = connection.get(path, login);
                if (status != OK) {
                    throw new IOException("The user's request was answered with " + status);
                }
                return 1;
            }

            @Override
            public void close() throws IOException {
                connection.close();
            }
        };
    }
}
