package io.millrace.eventing.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.workerprotocol.WorkerExit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashReportTest {

    private static final String THREAD =
            "Current thread (0x00007fae900960b0):  JavaThread \"%s\"            [_thread_in_vm, id=27419]\n";

    @TempDir
    Path directory;

    @Test
    void heapThatIsUsedUp_namesTheWorkerOfTheThread() throws IOException {
        Path report =
                report("#  fatal error: OutOfMemory encountered: Java heap space\n#\n" + THREAD.formatted("w12-0"));

        assertThat(CrashReport.read(report)).hasValue(new CrashReport(12, WorkerExit.OUT_OF_MEMORY));
    }

    @Test
    void crashOfNativeCode_namesTheWorkerOfTheThread() throws IOException {
        Path report = report("#  SIGSEGV (0xb) at pc=0x0000\n#\n" + THREAD.formatted("w3-1-queries"));

        assertThat(CrashReport.read(report)).hasValue(new CrashReport(3, WorkerExit.CRASHED));
    }

    @Test
    void threadOfNoWorker_tellsNothing() throws IOException {
        assertThat(CrashReport.read(report(THREAD.formatted("lettuce-nioEventLoop-4-1"))))
                .isEmpty();
    }

    @Test
    void processThatLeftNoReport_tellsNothing() {
        assertThat(CrashReport.read(directory.resolve("absent"))).isEmpty();
    }

    private Path report(String text) throws IOException {
        return Files.writeString(directory.resolve("report"), text);
    }
}
