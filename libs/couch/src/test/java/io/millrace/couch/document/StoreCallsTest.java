package io.millrace.couch.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchResponse;
import io.millrace.couch.CouchServer;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StoreCallsTest {

    @Test
    void fullStore_isInsufficientStorageForATime() {
        CouchResponse response = response(Code.REFUSED);

        assertThat(response.status()).isEqualTo(507);
        assertThat(response.headers()).containsEntry("Retry-After", "1");
    }

    @Test
    void storeThatIsAway_isUnavailableForATime() {
        CouchResponse response = response(Code.UNAVAILABLE);

        assertThat(response.status()).isEqualTo(503);
        assertThat(response.headers()).containsEntry("Retry-After", "1");
    }

    @Test
    void mistakeOfTheClient_isNotTemporary() {
        CouchResponse response = response(Code.INVALID_ID);

        assertThat(response.status()).isEqualTo(400);
        assertThat(response.headers()).doesNotContainKey("Retry-After");
    }

    @Test
    void storeThatDoesNotAnswer_isUnavailableForATime() {
        CouchResponse response = CouchServer.error(catchThrowableOfType(
                CouchException.class, () -> StoreCalls.of(new CompletableFuture<>(), Duration.ZERO)));

        assertThat(response.status()).isEqualTo(503);
        assertThat(response.headers()).containsEntry("Retry-After", "1");
    }

    private static CouchResponse response(Code code) {
        return CouchServer.error(StoreCalls.translated(DocumentsException.of(code, "why")));
    }
}
