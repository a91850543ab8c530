package io.millrace.n1ql;

import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of a run. Immutable.
 *
 * @param named values of {@code $name} and {@code :name}, by name without the sign
 * @param positional values of {@code ?} and {@code $1}
 * @param timeout the run ends with {@link ErrorCode#TIMEOUT} after this time; zero for no timeout
 * @param readonly whether statements that change something are rejected
 * @param queryContext the scope in which single names of keyspaces are looked up; null to look up buckets
 * @param preserveExpiry whether changed documents keep their expiration if the statement does not set one
 * @param clientContextId the client's id of the request, or null
 * @param rights what the run may do with keyspaces
 * @param profiled whether the operators of the plan are measured, for {@link Rows#explained}
 * @param atomic whether a statement writes all its changes together, or none of them
 */
public record QueryOptions(
        Map<String, Value> named,
        List<Value> positional,
        Duration timeout,
        boolean readonly,
        @Nullable QueryContext queryContext,
        boolean preserveExpiry,
        @Nullable String clientContextId,
        StatementRights rights,
        boolean profiled,
        boolean atomic) {

    public static final QueryOptions DEFAULT = new QueryOptions(
            Map.of(), List.of(), Duration.ZERO, false, null, false, null, StatementRights.ALL, false, false);

    public QueryOptions {
        named = Map.copyOf(named);
        positional = List.copyOf(positional);
    }

    public QueryOptions withNamed(Map<String, Value> values) {
        return new QueryOptions(
                values,
                positional,
                timeout,
                readonly,
                queryContext,
                preserveExpiry,
                clientContextId,
                rights,
                profiled,
                atomic);
    }

    public QueryOptions withNamed(String name, Value value) {
        Map<String, Value> values = new HashMap<>(named);
        values.put(name, value);
        return withNamed(values);
    }

    public QueryOptions withPositional(List<Value> values) {
        return new QueryOptions(
                named,
                values,
                timeout,
                readonly,
                queryContext,
                preserveExpiry,
                clientContextId,
                rights,
                profiled,
                atomic);
    }

    public QueryOptions withPositional(Value... values) {
        return withPositional(new ArrayList<>(List.of(values)));
    }

    public QueryOptions withTimeout(Duration longest) {
        return new QueryOptions(
                named,
                positional,
                longest,
                readonly,
                queryContext,
                preserveExpiry,
                clientContextId,
                rights,
                profiled,
                atomic);
    }

    public QueryOptions withReadonly(boolean only) {
        return new QueryOptions(
                named,
                positional,
                timeout,
                only,
                queryContext,
                preserveExpiry,
                clientContextId,
                rights,
                profiled,
                atomic);
    }

    public QueryOptions withQueryContext(@Nullable QueryContext context) {
        return new QueryOptions(
                named,
                positional,
                timeout,
                readonly,
                context,
                preserveExpiry,
                clientContextId,
                rights,
                profiled,
                atomic);
    }

    public QueryOptions withPreserveExpiry(boolean preserve) {
        return new QueryOptions(
                named,
                positional,
                timeout,
                readonly,
                queryContext,
                preserve,
                clientContextId,
                rights,
                profiled,
                atomic);
    }

    public QueryOptions withClientContextId(@Nullable String id) {
        return new QueryOptions(
                named, positional, timeout, readonly, queryContext, preserveExpiry, id, rights, profiled, atomic);
    }

    public QueryOptions withRights(StatementRights allowed) {
        return new QueryOptions(
                named,
                positional,
                timeout,
                readonly,
                queryContext,
                preserveExpiry,
                clientContextId,
                allowed,
                profiled,
                atomic);
    }

    public QueryOptions withProfiled(boolean measured) {
        return new QueryOptions(
                named,
                positional,
                timeout,
                readonly,
                queryContext,
                preserveExpiry,
                clientContextId,
                rights,
                measured,
                atomic);
    }

    public QueryOptions withAtomic(boolean together) {
        return new QueryOptions(
                named,
                positional,
                timeout,
                readonly,
                queryContext,
                preserveExpiry,
                clientContextId,
                rights,
                profiled,
                together);
    }

    boolean hasParameters() {
        return !named.isEmpty() || !positional.isEmpty();
    }

    /** Returns all parameters by name; positional ones have their number as name. */
    Map<String, Value> parameters() {
        Map<String, Value> all = new HashMap<>(named);
        for (int i = 0; i < positional.size(); i++) {
            all.put(Integer.toString(i + 1), positional.get(i));
        }
        return all;
    }
}
