package io.millrace.worker.sql;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections with a driver, and checks the address before each one. The driver resolves the name again, but Java
 * remembers addresses for longer than that takes.
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
        places.check(url);
        Properties own = new Properties();
        own.putAll(properties);
        Connection connection = driver.connect(url, own);
        if (connection == null) {
            throw new SQLException("the driver does not accept the URL of the database", "08001");
        }
        return connection;
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
