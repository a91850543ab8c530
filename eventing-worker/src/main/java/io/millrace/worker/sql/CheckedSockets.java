package io.millrace.worker.sql;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;

/**
 * Makes sockets that connect to the server in a URL only: they resolve its name themselves and check the addresses. A driver
 * makes a factory by the name of this class and the {@linkplain Permit#key() key} of a permit. Public for drivers only, which
 * have class loaders of their own.
 */
public final class CheckedSockets extends SocketFactory {

    private static final Map<String, Permit> PERMITS = new ConcurrentHashMap<>();
    private static final AtomicLong KEYS = new AtomicLong();

    /** Lets a driver make sockets while it opens one connection. What it has made is usable afterwards, to cancel statements. */
    static final class Permit implements AutoCloseable {

        private final String key = String.valueOf(KEYS.incrementAndGet());
        private final Places places;
        private final String url;
        private final AtomicBoolean used = new AtomicBoolean();

        private Permit(Places places, String url) {
            this.places = places;
            this.url = url;
        }

        String key() {
            return key;
        }

        /** Returns whether a socket was made. */
        boolean used() {
            return used.get();
        }

        @Override
        public void close() {
            PERMITS.remove(key);
        }
    }

    private final Permit permit;

    /** @throws IllegalArgumentException if there is no such permit */
    public CheckedSockets(String key) {
        Permit known = PERMITS.get(key);
        if (known == null) {
            throw new IllegalArgumentException("No connection is being opened with the key " + key);
        }
        permit = known;
    }

    /** @param url a plain one */
    static Permit permit(Places places, String url) {
        Permit permit = new Permit(places, url);
        PERMITS.put(permit.key(), permit);
        return permit;
    }

    private static final class CheckedSocket extends Socket {

        private final Permit permit;

        CheckedSocket(Permit permit) {
            this.permit = permit;
        }

        /** What the caller has found for the name is not looked at. */
        @Override
        public void connect(SocketAddress endpoint, int timeout) throws IOException {
            super.connect(permit.places.address(permit.url), timeout);
        }
    }

    @Override
    public Socket createSocket() {
        permit.used.set(true);
        return new CheckedSocket(permit);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        throw connected();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        throw connected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        throw connected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        throw connected();
    }

    private static IOException connected() {
        return new IOException("The driver of a database must make its sockets first and connect them then");
    }
}
