package io.millrace.worker.sql;

import java.io.PrintWriter;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections with a driver, to addresses that may be called. Where a driver takes sockets, these find the address and
 * check it, for each connection. What other drivers connect to has been named by the operator.
 */
final class CheckedSource implements DataSource {

    private final Driver driver;
    private final String url;
    private final Properties properties;
    private final Places places;

    CheckedSource(Driver driver, String url, Properties properties, Places places) {
        this.driver = driver;
        this.url = url;
        this.properties = properties;
        this.places = places;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (Dialect.of(url).takesSockets() && !places.names(url)) {
            return checkedByTheSocket();
        }
        places.check(url);
        return connected(properties);
    }

    private Connection checkedByTheSocket() throws SQLException {
        try (CheckedSockets.Permit permit = CheckedSockets.permit(places, url)) {
            Properties own = new Properties();
            own.putAll(properties);
            own.setProperty("socketFactory", CheckedSockets.class.getName());
            own.setProperty("socketFactoryArg", permit.key());
            Connection connection = connected(own);
            if (!permit.used()) {
                connection.close();
                throw new SQLException(
                        "the driver connects to addresses that are not checked; use PostgreSQL's own driver, or let the"
                                + " operator name the whole URL",
                        "08001");
            }
            return connection;
        } catch (SQLException e) {
            throw refusedByTheSocket(e);
        }
    }

    /** What the socket said is the cause of what the driver says. */
    private static SQLException refusedByTheSocket(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException none) {
                return Places.failure(none);
            }
        }
        return failure;
    }

    private Connection connected(Properties settings) throws SQLException {
        Properties own = new Properties();
        own.putAll(settings);
        Connection connection;
        try {
            connection = driver.connect(url, own);
        } catch (RuntimeException | LinkageError e) {
            throw new SQLException(failedWith(e), "08001", e);
        }
        if (connection == null) {
            throw new SQLException("the driver does not accept the URL of the database", "08001");
        }
        return connection;
    }

    /** Drivers throw what JDBC does not expect of them. */
    static String failedWith(Throwable defect) {
        return "the JDBC driver failed with " + defect;
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("The account is that of the binding");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        // drivers log nothing here
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // the pool sets it; its own time-out holds for all drivers
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
