package io.millrace.acceptance;

import io.millrace.launcher.functions.FunctionCommands;
import io.millrace.launcher.gateway.GatewayClient;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Help.Ansi;

/**
 * A command {@code fn} against the running suite that has ended.
 *
 * @param status with which it ended
 * @param printed output and errors
 */
record FnCommand(int status, String printed) {

    /** Runs a command in this JVM. */
    static FnCommand run(String... arguments) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        int status = FunctionCommands.of(
                        () -> new GatewayClient(RunningSuite.gateway(), BuiltSuite.LOGIN),
                        () -> Repository.ROOT.resolve("eventing-worker/target/worker"),
                        out,
                        out,
                        Ansi.OFF)
                .execute(arguments);
        return new FnCommand(status, printed.toString(StandardCharsets.UTF_8));
    }
}
