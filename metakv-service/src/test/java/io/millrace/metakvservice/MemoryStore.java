package io.millrace.metakvservice;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** The documents engine in memory, on a clock that a test can move. */
@TestConfiguration(proxyBeanMethods = false)
public class MemoryStore {

    /** A clock that stands still until it is moved. */
    public static final class MovableClock implements InstantSource {
        private volatile Instant now = Instant.now();

        @Override
        public Instant instant() {
            return now;
        }

        public void forward(long seconds) {
            now = now.plusSeconds(seconds);
        }
    }

    @Bean
    MovableClock movableClock() {
        return new MovableClock();
    }

    @Bean
    DocumentStore documentStore(MovableClock clock) {
        return new MemoryDocumentStore(clock);
    }
}
