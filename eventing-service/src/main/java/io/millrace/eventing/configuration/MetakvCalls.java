package io.millrace.eventing.configuration;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.metakv.MetakvException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Waits for MetaKV on threads that may block, and converts its failures to errors of the REST API. */
public final class MetakvCalls {

    /** How long a call may take; MetaKV's client repeats it within this time. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private MetakvCalls() {}

    /** Waits for a read. */
    public static <T> @Nullable T read(Mono<T> call) {
        return await(call, ErrorCode.ERR_GET_CONFIG, "MetaKV cannot be read now");
    }

    /** Waits for a write. */
    public static <T> @Nullable T write(Mono<T> call) {
        return await(
                call,
                ErrorCode.ERR_METAKV_WRITE_FAILED,
                "MetaKV cannot be written now; the change may or may not have been made");
    }

    private static <T> @Nullable T await(Mono<T> call, ErrorCode code, String what) {
        try {
            return call.timeout(PATIENCE).block();
        } catch (RuntimeException failure) {
            if (failure instanceof MetakvException full && full.code() == MetakvException.Code.REFUSED) {
                throw FunctionsException.of(code, String.valueOf(full.getMessage()));
            }
            if (failure instanceof MetakvException refused && !refused.unavailable()) {
                throw FunctionsException.of(ErrorCode.ERR_SAVE_APP_PS, String.valueOf(refused.getMessage()));
            }
            if (failure instanceof MetakvException || failure.getCause() instanceof TimeoutException) {
                throw FunctionsException.of(code, what + ". Check that metakv-service is running, then try again.");
            }
            throw failure;
        }
    }
}
