package io.millrace.acceptance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A curl command as a document shows it, carried out without curl, which a machine may lack. Knows the few options that
 * our documents use; any other is an error.
 */
final class CurlCommand {

    private final String text;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private @Nullable String method;
    private @Nullable String url;
    private byte @Nullable [] body;

    private CurlCommand(String text) {
        this.text = text;
    }

    /** Every command of a shell block; {@code @file} is read below {@code directory}. */
    static List<CurlCommand> parseAll(String block, Path directory) throws IOException {
        List<CurlCommand> commands = new ArrayList<>();
        for (List<String> words : words(block)) {
            if (!words.get(0).equals("curl")) {
                throw new AssertionError("Only curl is understood: " + words);
            }
            commands.add(parse(words, directory));
        }
        return commands;
    }

    private static CurlCommand parse(List<String> words, Path directory) throws IOException {
        CurlCommand command = new CurlCommand(String.join(" ", words));
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-X" -> command.method = words.get(++i);
                case "-s" -> {}
                case "-H" -> command.header(words.get(++i));
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

    /** Sends it to {@code server} in the place of {@code localhost:8080}. */
    HttpResponse<String> send(HttpClient client, URI server) throws IOException, InterruptedException {
        String target = String.valueOf(url)
                .replaceFirst("^(http://)?localhost:8080", server.toString().replaceFirst("/$", ""));
        byte[] content = body;
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target)).timeout(Duration.ofSeconds(60));
        headers.forEach(request::header);
        String verb = method != null ? method : content == null ? "GET" : "POST";
        request.method(verb, content == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(content));
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public String toString() {
        return text;
    }

    private void header(String line) {
        int colon = line.indexOf(':');
        headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
    }

    private static byte[] data(String value, Path directory) throws IOException {
        return value.startsWith("@")
                ? Files.readAllBytes(directory.resolve(value.substring(1)))
                : value.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    /** Words as a shell splits them: quotes, continued lines, comments. */
    private static List<List<String>> words(String block) {
        List<List<String>> commands = new ArrayList<>();
        List<String> command = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        for (int i = 0; i < block.length(); i++) {
            char c = block.charAt(i);
            if (c == '\'' || c == '"') {
                int end = block.indexOf(c, i + 1);
                word.append(block, i + 1, end);
                inWord = true;
                i = end;
            } else if (c == '\\' && block.charAt(i + 1) == '\n') {
                i++;
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    command.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
                if (c == '\n' && !command.isEmpty()) {
                    commands.add(command);
                    command = new ArrayList<>();
                }
            } else {
                word.append(c);
                inWord = true;
            }
        }
        return commands;
    }
}
