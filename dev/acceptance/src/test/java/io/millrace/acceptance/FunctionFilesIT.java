package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Functions as files, without a suite. */
class FunctionFilesIT {

    @Test
    void test_isGreenForATemplateAndRedForAMistake() throws Exception {
        Path function = RunningSuite.scratch("functions").resolve("totals");
        fn(0, "new", function.toString(), "--template", "enrich");
        Path report = function.resolve("report.xml");

        assertThat(fn(0, "test", function.toString())).contains("3 tests, all passed");

        Path code = function.resolve("handler.js");
        Files.writeString(code, Files.readString(code).replace("product.price", "product.prize"));
        assertThat(fn(1, "test", function.toString(), "--junit", report.toString()))
                .contains("FAIL  an order gets its total", "documents.totals.1.total: expected 36");
        assertThat(report).content().contains("<testsuite name=\"totals\" tests=\"3\" failures=\"1\"");
    }

    /** Returns what a command printed. */
    private static String fn(int status, String... arguments) throws Exception {
        String[] all = new String[arguments.length + 1];
        all[0] = "fn";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        try (LauncherProcess process = LauncherProcess.start(Map.of("NO_COLOR", "1"), all)) {
            int ended = process.awaitExit(120);
            assertThat(ended).as(process.output()).isEqualTo(status);
            return process.output();
        }
    }
}
