package io.millrace.launcher.command;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.Plural;
import io.millrace.launcher.gateway.GatewayClient;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** {@code millrace load FILE BUCKET}: loads a file of JSON lines into a bucket and prints how many were stored. */
final class Load {

    private static final Duration LONGEST = Duration.ofHours(12);
    private static final long PROGRESS_NANOS = Duration.ofSeconds(2).toNanos();

    private final GatewayClient gateway;
    private final PrintStream out;
    private JsonNode summary = MissingNode.getInstance();

    Load(GatewayClient gateway, PrintStream out) {
        this.gateway = gateway;
        this.out = out;
    }

    /** Returns whether all lines were stored. */
    boolean run(Path file, String bucket) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new LauncherException(
                    "Cannot read the file " + file + "; the file of JSON lines comes first, the bucket after it");
        }
        String path = "/api/v1/buckets/" + GatewayClient.segment(bucket);
        if (gateway.get(path).status() == 404) {
            createBucket(path, bucket, file);
        }
        GatewayClient.Answer answer =
                gateway.call("POST", path + "/bulk", BodyPublishers.ofInputStream(() -> open(file)), LONGEST);
        gateway.require(answer, "load into " + bucket);
        return report(answer, bucket);
    }

    /** Returns what the server said at the end of the last run. */
    JsonNode summary() {
        return summary;
    }

    private void createBucket(String path, String bucket, Path file) {
        if (!hasDocument(file)) {
            throw new LauncherException(
                    "No line of " + file + " has the form {\"id\": \"...\", \"value\": ...}, so the bucket " + bucket
                            + " was not created. Write each document as one such line.");
        }
        gateway.require(gateway.put(path, ""), "create the bucket " + bucket);
        out.println("created the bucket " + bucket);
    }

    /** Whether a line has the form of a document; the server checks the rest. ISO 8859-1 reads all bytes. */
    private static boolean hasDocument(Path file) {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return lines.anyMatch(Load::isDocument);
        } catch (IOException e) {
            throw new LauncherException("Cannot read the file " + file + ": " + e.getMessage(), e);
        }
    }

    private static boolean isDocument(String line) {
        try {
            JsonNode json = JsonMapper.shared().readTree(line);
            return json.path("id").isString() && json.has("value");
        } catch (JacksonException e) {
            return false;
        }
    }

    private boolean report(GatewayClient.Answer answer, String bucket) {
        String lastLine = answer.body().strip();
        lastLine = lastLine.substring(lastLine.lastIndexOf('\n') + 1);
        summary = new GatewayClient.Answer(answer.status(), lastLine).json();
        if (!summary.path("done").asBoolean(false)) {
            throw new LauncherException(
                    "The server ended the load without a summary; it may be incomplete: " + lastLine);
        }
        double seconds = Math.max(summary.path("seconds").asDouble(0), 0.001);
        long loaded = summary.path("loaded").asLong(0);
        out.printf(
                "%s in %s, %,d refused, %.1f s (%,.0f documents/s)%n",
                Plural.of(loaded, "document"), bucket, summary.path("refused").asLong(0), seconds, loaded / seconds);
        for (JsonNode refusal : summary.path("refusals")) {
            out.printf(
                    "  line %d%s: %s: %s%n",
                    refusal.path("line").asLong(0),
                    refusal.has("id") ? " (" + refusal.path("id").asString("") + ")" : "",
                    refusal.path("code").asString(""),
                    refusal.path("detail").asString(""));
        }
        if (summary.hasNonNull("stopped")) {
            throw new LauncherException("The load stopped before the end of the file: "
                    + summary.path("stopped").asString(""));
        }
        return summary.path("refused").asLong(0) == 0;
    }

    private InputStream open(Path file) {
        try {
            return new Counted(Files.newInputStream(file), Files.size(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Prints how much of a file has been read. */
    private final class Counted extends FilterInputStream {
        private final long size;
        private long read;
        private long reported = System.nanoTime();

        Counted(InputStream in, long size) {
            super(in);
            this.size = size;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = super.read(buffer, offset, length);
            read += Math.max(0, count);
            if (System.nanoTime() - reported > PROGRESS_NANOS) {
                reported = System.nanoTime();
                out.printf("  %3d %% of %,d bytes%n", read * 100 / Math.max(1, size), size);
            }
            return count;
        }
    }
}
