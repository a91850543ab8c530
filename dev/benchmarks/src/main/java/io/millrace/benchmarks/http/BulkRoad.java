package io.millrace.benchmarks.http;

import io.millrace.benchmarks.suite.ProcessUsage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Loads many documents with one request. */
final class BulkRoad {

    private static final int LINES_PER_PIECE = 64;

    private final URI bulk;
    private final String authorization;
    private final byte[] document;

    /** @param bulk the URL that takes the lines */
    BulkRoad(URI bulk, String authorization, byte[] document) {
        this.bulk = bulk;
        this.authorization = authorization;
        this.document = document;
    }

    /** Loads documents, prints what they cost and returns how many were loaded in a second. */
    double run(String name, int count, Map<String, Long> processes, PrintStream out)
            throws IOException, InterruptedException {
        List<byte[]> pieces = pieces(name, count);
        try (HttpClient client = HttpClient.newHttpClient()) {
            Map<String, Duration> before = ProcessUsage.cpu(processes);
            long began = System.nanoTime();
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(bulk)
                            .header("Authorization", authorization)
                            .header("Content-Type", "application/x-ndjson")
                            .POST(HttpRequest.BodyPublishers.ofByteArrays(pieces))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            double seconds = (System.nanoTime() - began) / 1e9;
            if (answer.statusCode() != 200
                    || !answer.body().contains("\"loaded\":" + count + ",\"refused\":0,\"lines\"")) {
                throw new IOException("Expected %d loaded documents, got status %d: %s"
                        .formatted(count, answer.statusCode(), answer.body()));
            }
            out.printf("%-26s %,9.0f documents/s  CPU per document in us:", name, count / seconds);
            ProcessUsage.cpu(processes)
                    .forEach((process, after) -> out.printf(
                            " %s %.0f",
                            process, after.minus(before.get(process)).toNanos() / 1e3 / count));
            out.println();
            return count / seconds;
        }
    }

    private List<byte[]> pieces(String prefix, int count) {
        List<byte[]> pieces = new ArrayList<>();
        ByteArrayOutputStream piece = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            piece.writeBytes("{\"id\":\"%s-%d\",\"value\":".formatted(prefix, i).getBytes(StandardCharsets.UTF_8));
            piece.writeBytes(document);
            piece.writeBytes(new byte[] {'}', '\n'});
            if (i % LINES_PER_PIECE == LINES_PER_PIECE - 1 || i == count - 1) {
                pieces.add(piece.toByteArray());
                piece.reset();
            }
        }
        return pieces;
    }
}
