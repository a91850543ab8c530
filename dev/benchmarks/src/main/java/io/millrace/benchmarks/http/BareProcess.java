package io.millrace.benchmarks.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A {@link BareServer} in a process of its own, whose CPU time can be told from that of the others. */
final class BareProcess implements AutoCloseable {

    private final Process process;
    private final int port;

    private BareProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** @param work what {@link BareServer} takes as its argument */
    static BareProcess start(String work) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx192m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BareServer.class.getName(),
                        work)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        // left open, because closing it closes the pipe on which the program writes
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String line = output.readLine();
        if (line == null) {
            process.destroyForcibly();
            throw new IOException("The bare server ended before it told its port");
        }
        return new BareProcess(process, Integer.parseInt(line));
    }

    long pid() {
        return process.pid();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Override
    public void close() {
        process.destroy();
    }
}
