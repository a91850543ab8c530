package io.millrace.n1ql;

import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import io.millrace.n1ql.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a statement is to be run. Immutable.
 *
 * @param named values of {@code $name} and {@code :name}, by the name alone
 * @param positional values of {@code ?} and {@code $1}
 * @param timeout after which the run ends with {@link ErrorCode#TIMEOUT}; zero for none
 * @param readonly refuses statements that change something
 * @param queryContext where single names of keyspaces are looked up; null for buckets
 * @param preserveExpiry keeps the expiration of documents that are changed, when the statement sets none
 * @param clientContextId what the client calls the request, or null
 */
public record QueryOptions(
        Map<String, Value> named,
        List<Value> positional,
        Duration timeout,
        boolean readonly,
        @Nullable QueryContext queryContext,
        boolean preserveExpiry,
        @Nullable String clientContextId) {

    public static final QueryOptions DEFAULT =
            new QueryOptions(Map.of(), List.of(), Duration.ZERO, false, null, false, null);

    public QueryOptions {
        named = Map.copyOf(named);
        positional = List.copyOf(positional);
    }

    public QueryOptions withNamed(Map<String, Value> values) {
        return new QueryOptions(values, positional, timeout, readonly, queryContext, preserveExpiry, clientContextId);
    }

    public QueryOptions withNamed(String name, Value value) {
        Map<String, Value> values = new HashMap<>(named);
        values.put(name, value);
        return withNamed(values);
    }

    public QueryOptions withPositional(List<Value> values) {
        return new QueryOptions(named, values, timeout, readonly, queryContext, preserveExpiry, clientContextId);
    }

    public QueryOptions withPositional(Value... values) {
        return withPositional(new ArrayList<>(List.of(values)));
    }

    public QueryOptions withTimeout(Duration longest) {
        return new QueryOptions(named, positional, longest, readonly, queryContext, preserveExpiry, clientContextId);
    }

    public QueryOptions withReadonly(boolean only) {
        return new QueryOptions(named, positional, timeout, only, queryContext, preserveExpiry, clientContextId);
    }

    public QueryOptions withQueryContext(@Nullable QueryContext context) {
        return new QueryOptions(named, positional, timeout, readonly, context, preserveExpiry, clientContextId);
    }

    public QueryOptions withPreserveExpiry(boolean preserve) {
        return new QueryOptions(named, positional, timeout, readonly, queryContext, preserve, clientContextId);
    }

    public QueryOptions withClientContextId(@Nullable String id) {
        return new QueryOptions(named, positional, timeout, readonly, queryContext, preserveExpiry, id);
    }

    boolean hasParameters() {
        return !named.isEmpty() || !positional.isEmpty();
    }

    /** Returns all parameters by name; those by position have numbers for names. */
    Map<String, Value> parameters() {
        Map<String, Value> all = new HashMap<>(named);
        for (int i = 0; i < positional.size(); i++) {
            all.put(Integer.toString(i + 1), positional.get(i));
        }
        return all;
    }
}
