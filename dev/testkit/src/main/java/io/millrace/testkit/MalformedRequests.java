package io.millrace.testkit;

import io.millrace.launcher.gateway.Login;
import io.millrace.testkit.ApiRoutes.Route;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Malformed HTTP requests to the services of a suite, half of them through its gateway. An answer must come in time, must
 * not be the server's fault, and must not show how the service is built.
 *
 * <p>Request {@code i} of a run is made of the seed and {@code i} alone. Requests have a bucket, a function and a stream
 * of their own, so a suite that others use keeps its data.
 */
public final class MalformedRequests {

    /** Where the gateway has the OpenAPI document of each service. */
    private static final Map<String, String> DOCUMENTS = new TreeMap<>(Map.of(
            "eventing-service", "/eventing/v3/api-docs",
            "subdoc-service", "/subdoc/v3/api-docs",
            "metakv-service", "/metakv/v3/api-docs",
            "ui-gateway", "/v3/api-docs"));

    private static final String GATEWAY = "ui-gateway";

    /** The service that also answers without the gateway; the others refuse every user, so few requests go there. */
    private static final String FOR_CLIENTS = "subdoc-service";

    private static final int GATE_SHARE = 16;
    private static final int CONNECTIONS = 6;
    private static final int MAX_PROBLEMS = 200;
    private static final int SHOWN_CHARS = 700;
    private static final int SEED_STEP = 1_000_003;

    /** 5xx answers that are right: the request asks for what does not exist or cannot be now. One to HEAD has no code. */
    private static final Pattern DOCUMENTED = Pattern.compile(
            "HTTP/1\\.1 501 |\"code\":\"(function_not_running|no_master_key|document_busy|too_many_watchers)\""
                    + "|(?s)\\AHTTP/1\\.1 503 .*\\r\\nRetry-After: .*\\r\\n\\r\\n\\z");

    /** Also right, if the request calls a function: it throws at what it was given. */
    private static final String FUNCTION_FAILED = "\"code\":\"function_failed\"";

    private static final Pattern CALL_OF_FUNCTION = Pattern.compile("\\A\\S+ \\S*/fn/");

    private static final Pattern INNER_NAME = Pattern.compile(
            "\\b(java|javax|jakarta|jdk|sun|io|org|com|tools|reactor|ch)\\.[a-z0-9_]+(\\.[A-Za-z0-9_$]+)+"
                    + "|\\w*(Exception|Throwable)\\b|Whitelabel|(?i:\\b(spring|jackson|netty|reactor|lettuce|graal)\\b)"
                    + "|JsonNode|DataBuffer|\"timestamp\":\"?[^}]*\"path\":");

    private final Map<String, URI> services;
    private final URI gateway;
    private final String authorization;
    private final List<Route> routes;

    /**
     * What a run found.
     *
     * @param statuses how many answers had which status; 0 stands for a connection that was closed without an answer
     * @param problems the answers that are wrong, with their requests
     * @param slowestMillis the longest time to an answer
     * @param slowest the beginning of the request that was answered so late
     */
    public record Report(Map<Integer, Integer> statuses, List<String> problems, long slowestMillis, String slowest) {}

    private record Outcome(int status, Optional<String> problem, long millis, String request) {}

    private MalformedRequests(Map<String, URI> services, URI gateway, String authorization, List<Route> routes) {
        this.services = Map.copyOf(services);
        this.gateway = gateway;
        this.authorization = authorization;
        this.routes = routes;
    }

    /**
     * Reads what the services can be asked for, and makes the bucket that requests name.
     *
     * @param services the base URLs by module; {@code ui-gateway} among them
     */
    public static MalformedRequests to(Map<String, URI> services, Login login)
            throws IOException, InterruptedException {
        URI gateway = services.get(GATEWAY);
        if (gateway == null) {
            throw new IllegalArgumentException("There is no URL of " + GATEWAY + " in " + services);
        }
        ApiRoutes routes = new ApiRoutes();
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (Map.Entry<String, String> document : DOCUMENTS.entrySet()) {
                routes.add(
                        document.getKey(),
                        send(http, login, HttpRequest.newBuilder(gateway.resolve(document.getValue()))));
            }
            send(
                    http,
                    login,
                    HttpRequest.newBuilder(gateway.resolve("/api/v1/buckets/" + ApiRoutes.OWN))
                            .PUT(BodyPublishers.noBody()));
        }
        routes.addOthers();
        return new MalformedRequests(services, gateway, login.authorization(), routes.all());
    }

    private static String send(HttpClient http, Login login, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        HttpResponse<String> answer =
                http.send(request.header("Authorization", login.authorization()).build(), BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IOException(answer.uri() + " returned status " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }

    /** Returns the number of operations that requests are made from. */
    public int routes() {
        return routes.size();
    }

    /** Sends requests, some at a time, and waits for all answers. */
    public Report run(long seed, int count) throws InterruptedException {
        Map<Integer, Integer> statuses = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        Outcome slowest = new Outcome(0, Optional.empty(), 0, "");
        try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            List<Future<Outcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                long own = seed * SEED_STEP + i;
                outcomes.add(threads.submit(() -> exchange(own)));
            }
            for (Future<Outcome> each : outcomes) {
                Outcome outcome = each.get();
                slowest = outcome.millis() > slowest.millis() ? outcome : slowest;
                statuses.merge(outcome.status(), 1, Integer::sum);
                outcome.problem().filter(one -> problems.size() < MAX_PROBLEMS).ifPresent(problems::add);
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("A service cannot be reached: " + e.getCause(), e);
        }
        return new Report(statuses, problems, slowest.millis(), slowest.request());
    }

    private Outcome exchange(long seed) throws IOException {
        SpoiltRequest request = SpoiltRequest.of(seed, routes, authorization);
        URI address = new Random(~seed).nextInt(request.service().equals(FOR_CLIENTS) ? 2 : GATE_SHARE) == 0
                ? services.getOrDefault(request.service(), gateway)
                : gateway;
        long started = System.nanoTime();
        RawAnswer answer = RawAnswer.to(request, address);
        long millis = (System.nanoTime() - started) / 1_000_000;
        String sent = shown(new String(request.bytes(), StandardCharsets.ISO_8859_1).replace(authorization, "..."));
        Optional<String> problem = problem(answer, request)
                .map(what -> "%s, request %d to %s:%n%s%n%s"
                        .formatted(what, seed, request.service(), sent, shown(answer.text())));
        return new Outcome(answer.status(), problem, millis, sent);
    }

    private static Optional<String> problem(RawAnswer answer, SpoiltRequest request) {
        if (answer.late()) {
            return Optional.of("No answer in time");
        }
        if (answer.status() == 0 && !answer.reset() && !request.mayBeUnfinished() && !request.mayBeFeed()) {
            return Optional.of("No answer");
        }
        if (answer.status() >= 500 && !documented(answer, request)) {
            return Optional.of("Status " + answer.status());
        }
        Matcher name = INNER_NAME.matcher(answer.text());
        return answer.status() >= 400 && name.find() ? Optional.of("Shows '" + name.group() + "'") : Optional.empty();
    }

    private static boolean documented(RawAnswer answer, SpoiltRequest request) {
        return DOCUMENTED.matcher(answer.text()).find()
                || answer.text().contains(FUNCTION_FAILED)
                        && CALL_OF_FUNCTION
                                .matcher(new String(request.bytes(), StandardCharsets.ISO_8859_1))
                                .find();
    }

    private static String shown(String text) {
        return text.length() > SHOWN_CHARS ? text.substring(0, SHOWN_CHARS) + "..." : text;
    }
}
