package io.millrace.worker.sql;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.SqlCall;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of a call, in the order of the parameters of its statement. */
final class Parameters {

    private static final String MISMATCH = "07001";

    private Parameters() {}

    /** @throws HostFailure if a value is missing, or one is given that the statement does not use */
    static List<@Nullable Object> of(SqlCall call, StatementText statement) throws HostFailure {
        List<@Nullable Object> values = new ArrayList<>();
        if (!call.named()) {
            if (call.parameters().size() != statement.marks()) {
                throw HostFailure.sqlError(
                        MISMATCH,
                        "The statement has %d parameters, but %d values are given"
                                .formatted(statement.marks(), call.parameters().size()));
            }
            call.parameters().forEach(parameter -> values.add(parameter.value()));
            return values;
        }
        Map<String, @Nullable Object> given = new HashMap<>();
        call.parameters().forEach(parameter -> given.put(String.valueOf(parameter.name()), parameter.value()));
        for (String name : statement.names()) {
            if (!given.containsKey(name)) {
                throw HostFailure.sqlError(MISMATCH, "The parameter :%s of the statement has no value".formatted(name));
            }
            values.add(given.get(name));
        }
        Set<String> unused = new HashSet<>(given.keySet());
        statement.names().forEach(unused::remove);
        if (!unused.isEmpty()) {
            throw HostFailure.sqlError(
                    MISMATCH,
                    "The statement has no parameter :%s, but a value is given"
                            .formatted(unused.iterator().next()));
        }
        return values;
    }

    static void bind(PreparedStatement statement, List<@Nullable Object> values, Dialect dialect) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            bind(statement, i + 1, dialect.parameter(values.get(i)));
        }
    }

    private static void bind(PreparedStatement statement, int at, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setNull(at, Types.NULL);
            case Boolean flag -> statement.setBoolean(at, flag);
            case Integer whole -> statement.setInt(at, whole);
            case Long whole -> statement.setLong(at, whole);
            case Double number -> statement.setDouble(at, number);
            case BigDecimal number -> statement.setBigDecimal(at, number);
            case BigInteger whole when whole.bitLength() < Long.SIZE -> statement.setLong(at, whole.longValue());
            case BigInteger whole -> statement.setBigDecimal(at, new BigDecimal(whole));
            case byte[] bytes -> statement.setBytes(at, bytes);
            case SqlCall.Json json -> statement.setString(at, json.text());
            default -> statement.setString(at, value.toString()); // times too: in UTC, as ISO 8601 writes them
        }
    }
}
