package io.millrace.worker.sql;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.SqlCall;
import io.millrace.worker.WorkerLimits;
import io.millrace.workerprotocol.HandlerSettings;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a statement, within the limits of its binding. */
final class Rows {

    private static final String LIMIT = "54000";
    private static final int NUMBER_BYTES = 8;

    /** The column of an element of an array, behind that of its index. */
    private static final int ELEMENT = 2;

    /** The longest time before and after 1970 that a Date of JavaScript can hold, in seconds. */
    private static final long MOST_DATE_SECONDS = 8_640_000_000_000L;

    private final ResultSet rows;
    private final HandlerSettings.Database database;
    private final List<String> names = new ArrayList<>();
    private final List<String> types = new ArrayList<>();
    private long bytes;

    private Rows(ResultSet rows, HandlerSettings.Database database) {
        this.rows = rows;
        this.database = database;
    }

    static SqlCall.Answer.Rows read(ResultSet rows, HandlerSettings.Database database)
            throws SQLException, HostFailure {
        return new Rows(rows, database).read();
    }

    private SqlCall.Answer.Rows read() throws SQLException, HostFailure {
        columns(rows.getMetaData());
        List<List<@Nullable Object>> all = new ArrayList<>();
        while (rows.next()) {
            if (all.size() == database.mostRows()) {
                throw HostFailure.sqlError(
                        LIMIT,
                        "The statement has more than %d rows, the limit of binding '%s'; add LIMIT, or raise its max_rows"
                                .formatted(database.mostRows(), database.name()));
            }
            List<@Nullable Object> row = new ArrayList<>(names.size());
            for (int i = 0; i < names.size(); i++) {
                row.add(counted(value(rows, i + 1, types.get(i))));
            }
            all.add(row);
        }
        return new SqlCall.Answer.Rows(names, all);
    }

    private void columns(ResultSetMetaData about) throws SQLException, HostFailure {
        Set<String> seen = new HashSet<>();
        for (int i = 1; i <= about.getColumnCount(); i++) {
            String name = about.getColumnLabel(i);
            if (!seen.add(name)) {
                throw HostFailure.sqlError(
                        "42701", "Two columns of the result are called %s; rename one with AS".formatted(name));
            }
            names.add(name);
            types.add(String.valueOf(about.getColumnTypeName(i)).toLowerCase(Locale.ROOT));
        }
    }

    private @Nullable Object counted(@Nullable Object value) throws HostFailure {
        bytes += size(value);
        if (bytes > WorkerLimits.MAX_SQL_RESULT_BYTES) {
            throw HostFailure.sqlError(
                    LIMIT,
                    "The rows of the statement have more than %d bytes; select fewer rows or columns"
                            .formatted(WorkerLimits.MAX_SQL_RESULT_BYTES));
        }
        return value;
    }

    private static long size(@Nullable Object value) {
        return switch (value) {
            case byte[] some -> some.length;
            case String text -> text.length();
            case SqlCall.Json json -> json.text().length();
            case List<?> elements ->
                NUMBER_BYTES + elements.stream().mapToLong(Rows::size).sum();
            case BigDecimal number -> Math.max(NUMBER_BYTES, number.precision());
            case null, default -> NUMBER_BYTES;
        };
    }

    private static @Nullable Object value(ResultSet from, int column, String type) throws SQLException {
        Object value = from.getObject(column);
        return switch (value) {
            case null -> null;
            case java.sql.Array array -> elements(array);
            case Timestamp ignored -> time(from, column, type);
            case Boolean flag -> flag;
            case BigDecimal number -> number;
            case Number number -> number;
            case byte[] some -> some;
            case Object json
            when type.equals("json") || type.equals("jsonb") ->
                new SqlCall.Json(String.valueOf(from.getString(column)));
            default -> from.getString(column);
        };
    }

    /** A time without a zone is read as one in UTC, wherever the worker is; infinity and the like are texts. */
    private static @Nullable Object time(ResultSet from, int column, String type) throws SQLException {
        Instant time = type.equals("timestamptz")
                ? from.getObject(column, OffsetDateTime.class).toInstant()
                : from.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC);
        return Math.abs(time.getEpochSecond()) <= MOST_DATE_SECONDS ? time : from.getString(column);
    }

    /** Elements are read as columns are: an array of Java has lost fractions of seconds, zones and eras. */
    private static List<@Nullable Object> elements(java.sql.Array array) throws SQLException {
        List<@Nullable Object> list = new ArrayList<>();
        String type = String.valueOf(array.getBaseTypeName());
        try (ResultSet elements = array.getResultSet()) {
            while (elements.next()) {
                list.add(value(elements, ELEMENT, type));
            }
        }
        return list;
    }
}
