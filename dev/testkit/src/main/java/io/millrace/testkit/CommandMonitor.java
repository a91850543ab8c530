package io.millrace.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What a Redis is asked while something is done, as its command {@code MONITOR} shows it. */
public final class CommandMonitor {

    private CommandMonitor() {}

    /**
     * Returns a line for each command that Redis has carried out between the start and the end of {@code work}: its time, the
     * database and the client in square brackets, and its words in quotes. For what a function of Redis calls the client is
     * {@code lua}.
     */
    public static List<String> during(OwnRedis redis, Runnable work) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), redis.port())) {
            // closed with the socket: to close it waits for who reads from it
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.ISO_8859_1));
            String answer = lines.readLine();
            if (!"+OK".equals(answer)) {
                throw new IOException("Redis answers MONITOR with " + answer);
            }
            String end = UUID.randomUUID().toString();
            // at once, because Redis ends the connection of a client that does not read
            CompletableFuture<List<String>> read = CompletableFuture.supplyAsync(
                    () -> lines.lines().takeWhile(line -> !line.contains(end)).toList(),
                    thread -> Thread.ofVirtual().name("command-monitor").start(thread));
            work.run();
            redis.console().call("ECHO", end);
            return read.orTimeout(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
