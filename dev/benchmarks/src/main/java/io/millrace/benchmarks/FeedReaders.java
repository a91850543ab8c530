package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.launcher.suite.Service;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Measures clients of the changes feed of a running suite over HTTP. */
final class FeedReaders {

    private static final String BUCKET = "feed";
    private static final int ROWS = 1_000;
    private static final int WARM_UP = 60;
    private static final Duration UNTIL_IT_WAITS = Duration.ofMillis(20);
    private static final Pattern LAST_SEQ = Pattern.compile("\"last_seq\":\"([0-9a-f]+)\"");

    private final BenchSuite suite;
    private final ChangesBench.Scale scale;
    private final PrintStream out;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String changes;

    FeedReaders(BenchSuite suite, ChangesBench.Scale scale, PrintStream out) {
        this.suite = suite;
        this.scale = scale;
        this.out = out;
        this.changes = suite.url(Service.SUBDOC).replaceAll("/$", "") + "/couch/" + BUCKET + "/_changes?";
    }

    void run() throws Exception {
        suite.createBucket(BUCKET);
        suite.write(BUCKET, 0, scale.documents());
        out.printf("%nthe changes feed over HTTP, %,d documents of about 870 bytes%n", scale.documents());
        rows("1,000 rows", "limit=" + ROWS);
        rows("1,000 rows with bodies", "include_docs=true&limit=" + ROWS);
        continuous();
        wakeUps();
    }

    private void rows(String title, String query) throws IOException, InterruptedException {
        int count = Math.max(20, scale.samples() / 10);
        long[] nanos = new long[count];
        for (int i = -count - WARM_UP; i < count; i++) { // the first ones warm up
            long began = System.nanoTime();
            String answer = get(query);
            if (i >= 0) {
                nanos[i] = System.nanoTime() - began;
            }
            if (answer.lines().filter(line -> line.startsWith("{\"seq\"")).count() != ROWS) {
                throw new IllegalStateException("Expected " + ROWS + " rows: " + answer.substring(0, 200));
            }
        }
        print(title, new Percentiles(nanos));
    }

    private void print(String title, Percentiles times) {
        out.printf("  %-40s p50 %8.2f ms  p99 %8.2f ms%n", title, times.at(50) / 1e6, times.at(99) / 1e6);
    }

    private void continuous() throws IOException, InterruptedException {
        for (boolean counts : new boolean[] {false, true}) { // the first time warms up
            long began = System.nanoTime();
            int rows = 0;
            HttpResponse<InputStream> answer =
                    http.send(request("feed=continuous&timeout=60000"), BodyHandlers.ofInputStream());
            try (var lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
                while (rows < scale.documents() && lines.readLine() != null) {
                    rows++;
                }
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            if (counts) {
                out.printf("  %-40s %,8.0f rows/s%n", "continuous client", rows / seconds);
            }
        }
    }

    /** Measures the time from sending a write until a waiting client has received the whole response. */
    private void wakeUps() throws Exception {
        long[] nanos = new long[scale.samples()];
        String since = lastSeq(get("since=now"));
        for (int i = -scale.samples() / 4; i < scale.samples(); i++) { // the first ones warm up
            CompletableFuture<Long> answered = http.sendAsync(
                            request("feed=longpoll&timeout=60000&since=" + since), BodyHandlers.ofString())
                    .thenApply(answer -> System.nanoTime());
            suite.pause(UNTIL_IT_WAITS);
            long began = System.nanoTime();
            suite.write(BUCKET, scale.documents(), 1);
            long ended = answered.get();
            if (i >= 0) {
                nanos[i] = ended - began;
            }
            since = lastSeq(get("since=now"));
        }
        print("from a write to a longpoll's answer", new Percentiles(nanos));
    }

    private String get(String query) throws IOException, InterruptedException {
        return http.send(request(query), BodyHandlers.ofString()).body();
    }

    private HttpRequest request(String query) {
        return HttpRequest.newBuilder(URI.create(changes + query))
                .header("Authorization", suite.authorization())
                .build();
    }

    private static String lastSeq(String answer) {
        Matcher found = LAST_SEQ.matcher(answer);
        if (!found.find()) {
            throw new IllegalStateException("The response has no last_seq: " + answer);
        }
        return found.group(1);
    }
}
