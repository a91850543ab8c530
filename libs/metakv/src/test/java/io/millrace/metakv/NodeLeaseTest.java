package io.millrace.metakv;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.millrace.metakv.MetakvClient.NodeLease;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class NodeLeaseTest {

    /** A registry that does not respond must not make {@code close} throw. */
    @Test
    void close_stopsWaitingWithoutAnException() {
        assertThatCode(lease(Mono.never())::close).doesNotThrowAnyException();
    }

    @Test
    void close_ignoresAFailureOfTheRegistry() {
        assertThatCode(lease(Mono.error(new IllegalStateException("refused")))::close)
                .doesNotThrowAnyException();
    }

    private static NodeLease lease(Mono<Void> release) {
        return new NodeLease() {
            @Override
            public boolean current() {
                return true;
            }

            @Override
            public Mono<Void> release() {
                return release;
            }
        };
    }
}
