package io.millrace.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LauncherWatchTest {

    @Test
    void launcherThatEnds_isNoticed() throws Exception {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        try (PipedOutputStream launcher = new PipedOutputStream()) {
            LauncherWatch.start(new PipedInputStream(launcher), () -> ended.complete(null));
            launcher.write('x');
            launcher.flush();

            assertThat(ended).isNotDone();
        }

        assertThat(ended).succeedsWithin(Duration.ofSeconds(10));
    }
}
