package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What the service that runs statements knows of users and of the settings of buckets, for {@code system:}. It does not ask for
 * rights. Implementations are thread-safe.
 */
public interface ServiceCatalog {

    /** Knows neither; for processes that only run the statements of functions. */
    ServiceCatalog NONE = new ServiceCatalog() {
        @Override
        public List<StatementRights.User> users() {
            throw unknown("users");
        }

        @Override
        public CompletableFuture<Optional<byte[]>> bucket(String name) {
            throw unknown("settings of buckets");
        }
    };

    /**
     * Returns all users, without API keys.
     *
     * @throws QueryException if they are not known here
     */
    List<StatementRights.User> users();

    /**
     * Returns the settings of a bucket as a JSON object, or nothing if the bucket does not exist.
     *
     * @throws QueryException if they are not known here
     */
    CompletableFuture<Optional<byte[]>> bucket(String name);

    private static QueryException unknown(String what) {
        return QueryException.of(
                ErrorCode.SEMANTICS,
                "The process that runs this statement does not know the %s; send the statement to the query service."
                        .formatted(what));
    }
}
