package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstPasswordTest {

    private static final String LINE = "time=x level=WARN event=administrator_created name=%s password=%s\n";

    @TempDir
    Path directory;

    private Path log;

    @BeforeEach
    void log() {
        log = directory.resolve("service.log");
    }

    @Test
    void password_ofThisStart_isReported() throws IOException {
        Files.writeString(log, LINE.formatted("Old", "old"));
        FirstPassword password = new FirstPassword(log);
        AtomicReference<FirstPassword.Found> told = new AtomicReference<>();
        password.onFound(told::set);
        assertThat(password.find()).isEmpty();

        Files.writeString(log, "starts\n" + LINE.formatted("Administrator", "s3cret"), StandardOpenOption.APPEND);

        await().until(() -> told.get() != null);
        assertThat(told.get()).isEqualTo(new FirstPassword.Found("Administrator", "s3cret"));
    }

    @Test
    void log_thatIsNewOrWasRotated_isReadFromItsBeginning() throws IOException {
        assertThat(new FirstPassword(log).find()).isEmpty();
        Files.writeString(log, "x".repeat(10_000));
        FirstPassword password = new FirstPassword(log);

        Files.writeString(log, LINE.formatted("Administrator", "p"));

        assertThat(password.find()).isPresent();
    }
}
