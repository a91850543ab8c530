package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisLoadingException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class RestartProofTest {

    @Test
    void redisThatDoesNotTell_provesNothing() {
        Throwable forbidden =
                new RedisCommandExecutionException("NOPERM this user has no permissions to run 'config|get'");

        assertThat(RestartProof.hidden(new CompletionException(forbidden))).isCompletedWithValue(false);
    }

    @Test
    void redisThatIsAwayOrNotThereYet_isToBeAskedAgain() {
        Throwable away = new RedisConnectionException("Connection reset by peer");
        Throwable loading = new RedisLoadingException("LOADING Redis is loading the dataset in memory");

        assertThat(RestartProof.hidden(new CompletionException(away))).isCompletedExceptionally();
        assertThat(RestartProof.hidden(new CompletionException(loading))).isCompletedExceptionally();
    }
}
