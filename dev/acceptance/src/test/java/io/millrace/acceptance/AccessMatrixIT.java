package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.MatrixRows.Row;
import io.millrace.launcher.suite.Service;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.json.JsonMapper;

/**
 * Real users of fourteen roles and a stranger ask a running suite for every route, through the gateway or where clients ask a
 * service itself, for every opcode and every kind of statement. Bodies are cut off, so that a request that passes the gate
 * does nothing.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessMatrixIT {

    private static final String PASSWORD = "matrix-password";

    /** What the gate says about a path that no door is for, to users who are not administrators. */
    private static final String NOT_SHOWN = "No endpoint has this path and method.";

    /** The answers of a service that is overloaded or away say nothing about rights. */
    private static final Set<Integer> TEMPORARY = Set.of(429, 502, 503, 504);

    /** Fewer than the gateway passes on at a time for one client. */
    private static final int AT_ONCE = 6;

    /** A statement of that code does not come as far as rights. */
    private static final int SYNTAX_ERROR = 3000;

    private final Api api = new Api(RunningSuite.gateway());
    private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeAll
    void users() throws IOException, InterruptedException {
        api.bucket(MatrixRows.BUCKET);
        api.bucket(MatrixRows.OTHER_BUCKET);
        for (int user = 1; user < AccessMatrix.USERS.size(); user++) {
            create(name(user), AccessMatrix.USERS.get(user));
        }
        Row whoami = new Row(Service.GATEWAY, "GET", "/whoami");
        await().atMost(Api.PATIENCE).until(() -> !outcomes(whoami).substring(1).contains("."));
    }

    private void create(String user, String roles) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        RunningSuite.gateway().resolve("/settings/rbac/users/local/" + user))
                .timeout(Api.PATIENCE)
                .header("Authorization", BuiltSuite.LOGIN.authorization())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .PUT(BodyPublishers.ofString("roles=" + roles + "&password=" + PASSWORD))
                .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @AfterAll
    void close() {
        for (int user = 1; user < AccessMatrix.USERS.size(); user++) {
            api.delete("/settings/rbac/users/local/" + name(user));
        }
        api.delete("/api/v1/buckets/" + MatrixRows.BUCKET);
        api.delete("/api/v1/buckets/" + MatrixRows.OTHER_BUCKET);
        api.close();
        threads.shutdownNow();
        http.close();
    }

    @Test
    void everyUser_passesTheDoorsOfItsRolesAndNoOther() throws Exception {
        Map<String, String> answered = new LinkedHashMap<>();
        Map<String, Future<String>> running = new LinkedHashMap<>();
        for (Row row : MatrixRows.all()) {
            if (row.phase() > 0) { // one after the other: what is deleted is gone for the next one
                wait(running, answered);
                answered.put(row.toString(), outcomes(row));
            } else {
                running.put(row.toString(), threads.submit(() -> outcomes(row)));
            }
        }
        wait(running, answered);

        AccessMatrix.ROUTES.compare(answered);
    }

    /** One login for each role, and one request for each opcode; the opcodes of the bucket that is not theirs come first. */
    @Test
    void everyUser_sendsTheOpcodesOfItsRolesAndNoOther() throws Exception {
        List<Future<String>> columns = new ArrayList<>();
        for (int user = 0; user < AccessMatrix.USERS.size(); user++) {
            OpcodeProbe probe = user == 0 ? OpcodeProbe.stranger() : OpcodeProbe.of(name(user), PASSWORD);
            columns.add(threads.submit(probe::outcomes));
        }

        Map<String, String> answered = new LinkedHashMap<>();
        for (Future<String> column : columns) {
            String outcomes = column.get();
            for (int row = 0; row < outcomes.length(); row++) {
                answered.merge(OpcodeRows.all().get(row).toString(), outcomes.substring(row, row + 1), String::concat);
            }
        }
        AccessMatrix.OPCODES.compare(answered);
    }

    @Test
    void everyUser_runsTheStatementsOfItsRolesAndNoOther() throws Exception {
        Map<String, String> answered = new LinkedHashMap<>();
        for (StatementRows.Row row : StatementRows.all()) { // one after the other: some make what others need
            char administrator = run(row, 1); // prepares what the others execute
            StringBuilder outcomes = new StringBuilder().append(run(row, 0)).append(administrator);
            for (int user = 2; user < AccessMatrix.USERS.size(); user++) {
                outcomes.append(run(row, user));
            }
            answered.put(row.toString(), outcomes.toString());
        }
        AccessMatrix.STATEMENTS.compare(answered);
    }

    private char run(StatementRows.Row row, int user) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        RunningSuite.gateway().resolve("/query/service"))
                .timeout(Api.PATIENCE)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(
                        JsonMapper.shared().writeValueAsString(Map.of("statement", row.statement()))));
        if (user > 0) {
            request.header("Authorization", basic(user));
        }
        HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() == 401) {
            return user == 0 ? AccessMatrix.UNKNOWN : AccessMatrix.FORBIDDEN;
        }
        int error =
                JsonMapper.shared().readTree(answer.body()).at("/errors/0/code").asInt(0);
        assertThat(error).as("%s: %s", row, answer.body()).isNotEqualTo(SYNTAX_ERROR);
        return AccessMatrix.PASSED;
    }

    private static void wait(Map<String, Future<String>> running, Map<String, String> answered) throws Exception {
        for (Map.Entry<String, Future<String>> one : running.entrySet()) {
            answered.put(one.getKey(), one.getValue().get());
        }
        running.clear();
    }

    @Test
    void innerServices_answerToServicesAlone() throws Exception {
        List<Callable<String>> requests = new ArrayList<>();
        for (Service service : List.of(Service.EVENTING, Service.METAKV)) {
            ServiceDoors.of(service.moduleName()).stream()
                    .filter(route -> !route.need().startsWith("Nothing")
                            && !route.pattern().startsWith("/fn")
                            && !MatrixRows.isOfMetrics(route))
                    .map(route -> new Row(service, route.method(), MatrixRows.filled(route.pattern())))
                    .forEach(row -> requests.add(() -> row + " " + send(row, BuiltSuite.LOGIN.authorization())));
        }

        List<String> answers = new ArrayList<>();
        for (Future<String> answer : threads.invokeAll(requests)) {
            answers.add(answer.get());
        }

        assertThat(answers).hasSizeGreaterThan(100).allMatch(answer -> answer.endsWith(" " + AccessMatrix.UNKNOWN));
    }

    private static String name(int user) {
        return "matrix-" + user;
    }

    private String outcomes(Row row) throws IOException, InterruptedException {
        StringBuilder outcomes = new StringBuilder();
        for (int user = 0; user < AccessMatrix.USERS.size(); user++) {
            outcomes.append(send(row, user == 0 ? "" : basic(user)));
        }
        return outcomes.toString();
    }

    private static String basic(int user) {
        String login = name(user) + ":" + PASSWORD;
        return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    }

    /** An overloaded service is asked again. */
    private char send(Row row, String authorization) throws IOException, InterruptedException {
        Answer first = ask(row, authorization);
        Answer answer = first.temporary()
                ? await().atMost(Api.PATIENCE)
                        .ignoreExceptions()
                        .until(() -> ask(row, authorization), next -> !next.temporary())
                : first;
        return answer.outcome();
    }

    private Answer ask(Row row, String authorization) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        RunningSuite.get().url(row.service()).resolve(row.path()))
                .timeout(Api.PATIENCE)
                .header("Content-Type", "application/json")
                .method(row.method(), row.hasBody() ? BodyPublishers.ofString("{") : BodyPublishers.noBody());
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        HttpResponse<InputStream> answer = http.send(request.build(), BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            return new Answer(
                    answer.statusCode(), row.endless() ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private record Answer(int status, String body) {

        boolean temporary() {
            return TEMPORARY.contains(status);
        }

        char outcome() {
            return switch (status) {
                case 401 -> AccessMatrix.UNKNOWN;
                case 403 -> AccessMatrix.FORBIDDEN;
                default -> body.contains(NOT_SHOWN) ? AccessMatrix.FORBIDDEN : AccessMatrix.PASSED;
            };
        }
    }
}
