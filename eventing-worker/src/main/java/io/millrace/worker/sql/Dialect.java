package io.millrace.worker.sql;

import io.millrace.workerprotocol.HandlerSettings;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** What differs between databases. */
enum Dialect {
    POSTGRESQL,
    SQLITE,
    OTHER;

    private static final String SQLITE_READ_ONLY = "1";

    static Dialect of(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        return lower.startsWith("jdbc:postgresql:") ? POSTGRESQL : lower.startsWith("jdbc:sqlite:") ? SQLITE : OTHER;
    }

    /** Returns whether the driver makes all of its connections with sockets that it is given. */
    boolean takesSockets() {
        return this == POSTGRESQL;
    }

    /**
     * Returns what is bound for a value of a call. PostgreSQL converts the types of parameters as it does those of literals, and
     * few functions and operators take {@code bigint} and {@code double precision}: a number gets the type of its literal there.
     */
    @Nullable
    Object parameter(@Nullable Object value) {
        return switch (value) {
            case Long whole when this == POSTGRESQL && whole == whole.intValue() -> whole.intValue();
            case Double number when this == POSTGRESQL -> BigDecimal.valueOf(number);
            case null, default -> value;
        };
    }

    /** Returns what a driver gets in addition to the URL. */
    Properties properties(HandlerSettings.Database database) {
        Properties properties = new Properties();
        if (!database.username().isEmpty()) {
            properties.setProperty("user", database.username());
        }
        if (!database.password().isEmpty()) {
            properties.setProperty("password", database.password());
        }
        switch (this) {
            case POSTGRESQL -> {
                properties.setProperty("ApplicationName", "millrace");
                // the server then gives a text the type of the column, such as uuid or timestamptz
                properties.setProperty("stringtype", "unspecified");
            }
            case SQLITE -> {
                // ATTACH and VACUUM INTO would reach every file of the process
                properties.setProperty("limit_attached", "0");
                if (database.readOnly()) {
                    properties.setProperty("open_mode", SQLITE_READ_ONLY);
                }
            }
            case OTHER -> {}
        }
        return properties;
    }
}
