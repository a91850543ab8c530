package io.millrace.worker.sql;

import io.millrace.worker.addresses.Addresses;
import io.millrace.workerprotocol.HandlerSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides which databases may be used. A JDBC URL can do more than name a database: open a file, load a class, run a script.
 * So only the plain form, a host with a port and the name of a database, is used without being named by the operator, and its
 * address must be public or named. Any other URL must be named as it is. A driver that resolves names itself could connect to
 * another address than the one that was checked, so the hosts of such drivers must be named, too.
 */
final class Places {

    private static final String VARIABLE = "MILLRACE_SQL_ALLOWED";

    private static final Pattern PLAIN =
            Pattern.compile("jdbc:[a-z][a-z0-9]*://([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:]+]):(\\d{1,5})/([A-Za-z0-9_.-]+)");

    private static final int LAST_PORT = 65_535;

    private record Server(String host, int port) {

        /** Returns the server in a plain URL, or null for any other URL. */
        static @Nullable Server in(String url) {
            Matcher plain = PLAIN.matcher(url);
            if (!plain.matches()) {
                return null;
            }
            int port = Integer.parseInt(plain.group(2));
            return port <= LAST_PORT ? new Server(plain.group(1), port) : null;
        }
    }

    private final List<String> named;
    private final Addresses addresses;

    /** @param redisUri an address that is never called */
    Places(HandlerSettings.Access access, String redisUri) {
        named = access.databases();
        addresses = new Addresses(
                named.stream().filter(entry -> !entry.startsWith("jdbc:")).toList(),
                access.refused(),
                redisUri,
                InetAddress::getAllByName,
                VARIABLE);
    }

    /**
     * Checks that a database may be used, with the addresses that its host has now.
     *
     * @throws SQLException if it may not, with the SQLSTATE 28000
     */
    void check(String url) throws SQLException {
        if (names(url)) {
            return;
        }
        Server server = Server.in(url);
        if (server == null) {
            throw refused("the database may not be used by functions: name its URL in " + VARIABLE
                    + ", or use a URL like jdbc:postgresql://host:5432/database");
        }
        if (!Dialect.of(url).takesSockets() && !addresses.names(server.host(), server.port())) {
            throw refused(
                    "the database may not be used by functions: its driver connects to addresses that are not checked; name"
                            + " %s:%d in %s if it may be used".formatted(server.host(), server.port(), VARIABLE));
        }
        try {
            address(server);
        } catch (UnknownHostException e) {
            throw failure(e);
        }
    }

    /** Returns whether the operator names a URL as it is. Its driver then connects to what the URL says. */
    boolean names(String url) {
        return named.contains(url);
    }

    /**
     * Returns the address to which a connection may go: one that the host of a plain URL has now.
     *
     * @throws UnknownHostException if there is none, with a message for the author of the function
     */
    InetSocketAddress address(String url) throws UnknownHostException {
        return address(Objects.requireNonNull(Server.in(url), "a plain URL"));
    }

    private InetSocketAddress address(Server server) throws UnknownHostException {
        try {
            return new InetSocketAddress(addresses.resolve(server.host(), server.port())[0], server.port());
        } catch (Addresses.Refused e) {
            throw e;
        } catch (UnknownHostException e) {
            throw new UnknownHostException("the host %s of the database cannot be resolved".formatted(server.host()));
        }
    }

    /** Returns what a statement fails with if its database has no address that may be called. */
    static SQLException failure(UnknownHostException none) {
        return none instanceof Addresses.Refused
                ? refused(String.valueOf(none.getMessage()))
                : new SQLException(none.getMessage(), "08001");
    }

    private static SQLException refused(String why) {
        return new SQLInvalidAuthorizationSpecException(why, "28000");
    }
}
