package io.millrace.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a curl command of a document without curl, which may not be installed. Supports the options that the documents use;
 * rejects any other.
 */
final class CurlCommand implements DocumentCommand {

    private static final int SUCCESS_CLASS = 2;

    private final String text;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private @Nullable String method;
    private @Nullable String url;
    private byte @Nullable [] body;
    private long maxTimeSeconds;

    private CurlCommand(String text) {
        this.text = text;
    }

    /** {@code @file} is read below {@code directory}. */
    static CurlCommand parse(List<String> words, Path directory) throws IOException {
        CurlCommand command = new CurlCommand(String.join(" ", words));
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-X" -> command.method = words.get(++i);
                case "-s", "-N" -> {}
                case "-K" -> command.logIn(words.get(++i));
                case "-H" -> command.header(words.get(++i));
                case "--max-time" -> command.maxTimeSeconds = Long.parseLong(words.get(++i));
                case "--json" -> {
                    command.header("Content-Type: application/json");
                    command.header("Accept: application/json");
                    command.body = data(words.get(++i), directory);
                }
                case "-d", "--data-binary" -> {
                    command.headers.putIfAbsent("Content-Type", "application/x-www-form-urlencoded");
                    command.body = data(words.get(++i), directory);
                }
                default -> {
                    if (words.get(i).startsWith("-") || command.url != null) {
                        throw new AssertionError("Not understood: " + words.get(i) + " in " + command.text);
                    }
                    command.url = words.get(i);
                }
            }
        }
        return command;
    }

    @Override
    public Printed run(HttpClient client, URI gateway) throws IOException, InterruptedException {
        HttpRequest request = request(gateway);
        if (maxTimeSeconds > 0) {
            HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            return new Printed(succeeded(answer), beginning(answer.body()));
        }
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        return new Printed(succeeded(answer), answer.body());
    }

    private HttpRequest request(URI gateway) {
        String target = String.valueOf(url)
                .replaceFirst("^(http://)?localhost:8080", gateway.toString().replaceFirst("/$", ""));
        byte[] content = body;
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target)).timeout(Duration.ofSeconds(60));
        headers.forEach(request::header);
        String verb = method != null ? method : content == null ? "GET" : "POST";
        request.method(verb, content == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(content));
        return request.build();
    }

    private static boolean succeeded(HttpResponse<?> answer) {
        return answer.statusCode() / 100 == SUCCESS_CLASS;
    }

    /** Returns what an endless response has sent within the maximum time. */
    private String beginning(InputStream endless) throws IOException {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        CompletableFuture<Void> whole = CompletableFuture.runAsync(() -> {
            try {
                endless.transferTo(received);
            } catch (IOException e) {
                // the connection is closed below
            }
        });
        whole.completeOnTimeout(null, maxTimeSeconds, TimeUnit.SECONDS).join();
        endless.close();
        return received.toString(UTF_8);
    }

    @Override
    public String toString() {
        return text;
    }

    /** The login that {@code ./millrace up} makes; here it is that of the running suite. */
    private void logIn(String file) {
        if (!file.equals("data/login")) {
            throw new AssertionError("Not understood: -K " + file + " in " + text);
        }
        headers.put("Authorization", BuiltSuite.LOGIN.authorization());
    }

    private void header(String line) {
        int colon = line.indexOf(':');
        headers.putIfAbsent(line.substring(0, colon), line.substring(colon + 1).strip());
    }

    private static byte[] data(String value, Path directory) throws IOException {
        return value.startsWith("@")
                ? Files.readAllBytes(directory.resolve(value.substring(1)))
                : value.getBytes(UTF_8);
    }
}
