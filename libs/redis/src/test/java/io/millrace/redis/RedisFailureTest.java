package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.PartitionSelectorException;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.millrace.redis.RedisFailure.Kind;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisFailureTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            LOADING Redis is loading the dataset in memory                      | UNAVAILABLE
            READONLY You can't write against a read only replica.               | UNAVAILABLE
            ERR Script attempted to access a non local key in a cluster node    | UNAVAILABLE
            ERR Function not found                                              | UNAVAILABLE
            WRONGTYPE Operation against a key holding the wrong kind of value   | WRONG_TYPE
            OOM command not allowed when used memory > 'maxmemory'.             | REFUSED
            MISCONF Redis is configured to save RDB snapshots                   | REFUSED
            """)
    void answerOfRedis_isOfItsKind(String text, Kind kind) {
        RedisFailure failure = RedisFailure.of(new CompletionException(new RedisCommandExecutionException(text)));

        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure.message()).contains(text);
        assertThat(failure.cause()).isInstanceOf(RedisCommandExecutionException.class);
    }

    @Test
    void connection_thatFails_isUnavailable() {
        RedisFailure failure = RedisFailure.of(new RedisConnectionException("refused"));

        assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(failure.message()).isEqualTo("Redis does not answer (refused). Is it running?");
    }

    @Test
    void slot_thatNoKnownNodeHas_isUnavailable() {
        RedisFailure failure = RedisFailure.of(
                new PartitionSelectorException("Cannot determine a partition for slot 7.", new Partitions()));

        assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(failure.message())
                .isEqualTo("No node of the Redis cluster is known for the requested keys"
                        + " (Cannot determine a partition for slot 7.) Is a node joining, or lost?");
    }

    @Test
    void call_withoutAnAnswer_mayHaveBeenExecuted_unlikeOneThatWasRefusedOrNeverSent() {
        assertThat(RedisFailure.unanswered(new CompletionException(new RedisCommandTimeoutException())))
                .isTrue();
        assertThat(RedisFailure.unanswered(new RedisException("Connection closed")))
                .isTrue();
        assertThat(RedisFailure.unanswered(new IOException("Connection reset by peer")))
                .isTrue();
        assertThat(RedisFailure.unanswered(new RedisCommandExecutionException("READONLY You can't write")))
                .isFalse();
        assertThat(RedisFailure.unanswered(new RedisConnectionException("refused")))
                .isFalse();
    }
}
