package io.millrace.worker.sql;

import io.millrace.worker.addresses.Addresses;
import io.millrace.workerprotocol.HandlerSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides which databases may be used. A JDBC URL can do more than name a database: open a file, load a class, run a script.
 * So only the plain form, a host with a port and the name of a database, is used without being named by the operator, and its
 * address must be public or named. Any other URL must be named as it is.
 */
final class Places {

    private static final String VARIABLE = "MILLRACE_SQL_ALLOWED";

    private static final Pattern PLAIN =
            Pattern.compile("jdbc:[a-z][a-z0-9]*://([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:]+]):(\\d{1,5})/([A-Za-z0-9_.-]+)");

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
        if (named.contains(url)) {
            return;
        }
        Matcher plain = PLAIN.matcher(url);
        if (!plain.matches()) {
            throw new SQLInvalidAuthorizationSpecException(
                    "the database may not be used by functions: name its URL in " + VARIABLE
                            + ", or use a URL like jdbc:postgresql://host:5432/database",
                    "28000");
        }
        try {
            addresses.resolve(plain.group(1), Integer.parseInt(plain.group(2)));
        } catch (Addresses.Refused e) {
            throw new SQLInvalidAuthorizationSpecException(e.getMessage(), "28000");
        } catch (UnknownHostException e) {
            throw new SQLException("the host %s of the database cannot be resolved".formatted(plain.group(1)), "08001");
        }
    }
}
