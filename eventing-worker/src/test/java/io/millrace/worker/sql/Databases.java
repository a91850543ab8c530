package io.millrace.worker.sql;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.SqlCall;
import io.millrace.workerprotocol.HandlerSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A client with the binding {@code db}, and what its tests do with it. */
public final class Databases implements AutoCloseable {

    static final long PATIENCE_NANOS = 30_000_000_000L;

    final Map<String, Long> counted = new ConcurrentHashMap<>();
    private final SqlClient client;

    Databases(HandlerSettings.Database database, List<String> allowed, List<String> refused, Path drivers) {
        HandlerSettings standard = HandlerSettings.STANDARD;
        HandlerSettings settings = new HandlerSettings(
                List.of(),
                List.of(),
                List.of(database),
                standard.cacheBytes(),
                standard.cacheAgeMillis(),
                0,
                new HandlerSettings.Access(List.of(), refused, allowed, drivers.toString(), ""),
                1,
                List.of(),
                false,
                HandlerSettings.TimerSettings.NONE);
        client = new SqlClient(settings, "redis://127.0.0.1:1", (name, count) -> counted.merge(name, count, Long::sum));
    }

    static Databases named(HandlerSettings.Database database, Path drivers) {
        return new Databases(database, List.of(database.url()), List.of(), drivers);
    }

    /** Puts the drivers of the tests into a directory, as an operator does. */
    public static Path drivers(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (Class<?> driver : List.of(org.postgresql.Driver.class, org.sqlite.JDBC.class)) {
            Path jar = Path.of(URI.create(
                    String.valueOf(driver.getProtectionDomain().getCodeSource().getLocation())));
            Files.copy(jar, directory.resolve(jar.getFileName().toString()));
        }
        return directory;
    }

    /** A statement with parameters by position. */
    SqlCall.Answer run(String statement, @Nullable Object... values) throws HostFailure {
        List<SqlCall.Parameter> parameters = Arrays.stream(values)
                .map(value -> new SqlCall.Parameter(null, value))
                .toList();
        return client.run(new SqlCall("db", statement, parameters), PATIENCE_NANOS);
    }

    /** A statement with parameters by name: names and values in turns. */
    SqlCall.Answer runNamed(String statement, @Nullable Object... pairs) throws HostFailure {
        List<SqlCall.Parameter> parameters = new ArrayList<>();
        for (int i = 0; i < pairs.length; i += 2) {
            parameters.add(new SqlCall.Parameter(String.valueOf(pairs[i]), pairs[i + 1]));
        }
        return client.run(new SqlCall("db", statement, parameters), PATIENCE_NANOS);
    }

    /** The rows of a statement without their columns' names. */
    List<List<@Nullable Object>> rows(String statement, @Nullable Object... values) throws HostFailure {
        return ((SqlCall.Answer.Rows) run(statement, values)).rows();
    }

    /** SQLSTATE and message of a statement that must fail. */
    String failure(String statement, @Nullable Object... values) {
        try {
            throw new AssertionError(run(statement, values));
        } catch (HostFailure e) {
            return e.name() + " " + e.description();
        }
    }

    String failureWithin(long nanos, String statement) {
        try {
            throw new AssertionError(client.run(new SqlCall("db", statement, List.of()), nanos));
        } catch (HostFailure e) {
            return e.name() + " " + e.description();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
