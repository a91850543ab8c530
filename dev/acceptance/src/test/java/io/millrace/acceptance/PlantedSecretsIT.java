package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.launcher.suite.Service;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** More than twenty secrets that pass through a suite are in none of its files, logs, environments and answers. */
class PlantedSecretsIT {

    private static final String FUNCTION = "planted";
    private static final String BUCKET = "planted";
    private static final String META = "planted-meta";
    private static final String USER = "planted-user";

    /** Half of a secret is searched for: a compressed file holds pieces of 32 bytes at most. */
    private static final int PIECE = 12;

    /** The JSON of a user, as an entry of MetaKV stores it in base64; its first member is the name. */
    private static final Pattern STORED_USER = Pattern.compile("(?<=\")eyJuYW1lIjoi[A-Za-z0-9+/]+=*");

    private final Api api = new Api(RunningSuite.gateway());
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, String> secrets = new LinkedHashMap<>();

    /** Not a secret: it must be found, so that a search that finds nothing is one that works. */
    private final String control = random();

    @AfterEach
    void close() throws IOException {
        Files.deleteIfExists(clusterFile());
        api.close();
        http.close();
    }

    private static String random() {
        return UUID.randomUUID().toString().replace("-", "").substring(0, 2 * PIECE);
    }

    private String planted(String what) {
        String secret = random();
        secrets.put(what, secret);
        return secret;
    }

    @Test
    void secrets_areNowhere() throws Exception {
        List<String> keys = plant();
        function();
        assertThat(secrets).hasSizeGreaterThanOrEqualTo(24);

        RunningSuite.get().redisConsole().call("SAVE");
        Map<String, byte[]> places = new LinkedHashMap<>();
        await().atMost(Api.PATIENCE).untilAsserted(() -> {
            places.clear();
            files(places);
            assertFound(places, "data/redis/appendonlydir/", control);
            assertFound(places, "data/redis/dump.rdb", control);
            assertFound(places, "logs/", control);
        });
        environments(places);
        answers(places);

        assertFound(places, "GET ", control);
        assertThat(leaks(places, secrets)).isEmpty();
        Map<String, String> passwordKeys = passwordKeys(places);
        places.keySet().removeIf(place -> place.startsWith("data/redis/")); // the store, where they have to be
        assertThat(leaks(places, passwordKeys)).isEmpty();
        clean(keys);
    }

    private static List<String> leaks(Map<String, byte[]> places, Map<String, String> secrets) {
        List<String> leaks = new ArrayList<>();
        places.forEach((place, bytes) -> {
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            secrets.forEach((what, secret) -> {
                if (holds(text, secret)) {
                    leaks.add(what + " in " + place);
                }
            });
        });
        return leaks;
    }

    /** What is stored for the passwords of users: enough to guess them elsewhere, and to pass for the server. */
    private static Map<String, String> passwordKeys(Map<String, byte[]> places) {
        Map<String, String> keys = new LinkedHashMap<>();
        places.forEach((place, bytes) -> {
            if (place.startsWith("data/redis/appendonlydir/")) {
                STORED_USER
                        .matcher(new String(bytes, StandardCharsets.ISO_8859_1))
                        .results()
                        .forEach(found -> {
                            JsonNode user = JsonMapper.shared()
                                    .readTree(Base64.getDecoder().decode(found.group()));
                            user.path("scram").forEachEntry((mechanism, stored) -> {
                                String whose =
                                        mechanism + " of " + user.path("name").asString();
                                keys.put(
                                        "storedKey for " + whose,
                                        stored.path("storedKey").asString());
                                keys.put(
                                        "serverKey for " + whose,
                                        stored.path("serverKey").asString());
                            });
                        });
            }
        });
        assertThat(keys.keySet()).anyMatch(key -> key.startsWith("storedKey") && key.endsWith(" of " + USER));
        return keys;
    }

    /** Makes users, changes their passwords, logs in with right and wrong ones, and makes keys; returns the ids of the keys. */
    private List<String> plant() throws IOException, InterruptedException {
        for (String user : List.of(USER, USER + "-2", USER + "-3")) {
            String first = planted("password of " + user);
            form("PUT", "/settings/rbac/users/local/" + user, "roles=data_reader[*]&password=" + first, "");
            String second = planted("changed password of " + user);
            form("PATCH", "/settings/rbac/users/local/" + user, "password=" + second, "");
            await().atMost(Api.PATIENCE)
                    .until(() -> login("/api/v1/session", "user", user, second).statusCode() == 200);
        }
        String own = planted("password that the user has chosen");
        form(
                "POST",
                "/controller/changePassword",
                "password=" + own,
                basic(USER, Objects.requireNonNull(secrets.get("changed password of " + USER))));
        await().atMost(Api.PATIENCE)
                .until(() -> login("/api/v1/session", "user", USER, own).statusCode() == 200);
        session("session of the console", login("/api/v1/session", "user", USER, own));
        session("session of the CouchDB API", login("/couch/_session", "name", USER, own));
        login("/api/v1/session", "user", USER, planted("wrong password of a session"));
        login("/couch/_session", "name", USER, planted("wrong password of a session of the CouchDB API"));
        form("GET", "/whoami", "", basic(USER, planted("wrong password")));
        List<String> keys = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            var key = api.post("/api/v1/keys", "{\"description\":\"planted\",\"roles\":[\"data_reader[*]\"]}")
                    .succeeded()
                    .json();
            String token = key.path("token").asString();
            secrets.put("key " + i, token.split("_", 3)[2]);
            form("GET", "/whoami", "", "Bearer " + token);
            keys.add(key.path("id").asString());
        }
        return keys;
    }

    private void session(String what, HttpResponse<String> answer) {
        String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
        secrets.put(what, cookie.substring(cookie.length() - 2 * PIECE));
    }

    /** Deploys a function whose bindings have secrets, some by name, and lets it fail with each. */
    private void function() throws IOException {
        api.bucket(BUCKET);
        api.bucket(META);
        List<String> bindings = new ArrayList<>();
        for (String type : List.of("basic", "digest")) {
            bindings.add(binding(type, "\"username\":\"planted\",\"password\":\"" + planted(type) + "\""));
        }
        bindings.add(binding("bearer", "\"bearer_key\":\"" + planted("bearer") + "\""));
        String named = "{\"url\":\"http://127.0.0.1:9\",\"value\":\"%s\"}";
        api.put("/api/v1/secrets/planted", named.formatted(planted("secret that was replaced")))
                .succeeded();
        api.put("/api/v1/secrets/planted", named.formatted(planted("named secret")))
                .succeeded();
        bindings.add("{\"value\":\"named\",\"hostname\":\"http://127.0.0.1:9/\",\"auth_type\":\"bearer\","
                + "\"bearer_key_secret\":\"planted\"}");
        String database = RunningSuite.absentDatabase();
        api.put(
                        "/api/v1/secrets/planted-sql",
                        "{\"url\":\"%s\",\"value\":\"%s\"}"
                                .formatted(database, planted("named password of a database")))
                .succeeded();
        String databases = """
                {"value":"own","url":"%s","username":"planted","password":"%s"},
                {"value":"shared","url":"%s","username":"planted","password_secret":"planted-sql"}""".formatted(database, planted("password of a database"), database);
        cluster();
        readSecret();
        String code = """
                function OnUpdate(doc, meta) {
                  if (doc.tells) { log(API_KEY); return; }
                  log('a key of', API_KEY.length, 'characters');
                  for (const binding of [basic, digest, bearer, named]) {
                    try { curl('GET', binding, {path: '/x'}); } catch (e) { log('%s', e); }
                  }
                  for (const database of [own, shared]) {
                    try { sql(database, 'SELECT 1'); } catch (e) { log('%s', e); }
                  }
                  publish(topic, doc);
                }""".formatted(control, control);
        api.deploy(FUNCTION, """
                {"appname":"%s","appcode":%s,
                 "depcfg":{"source_bucket":"%s","metadata_bucket":"%s","curl":[%s],"sql":[%s],
                   "topics":[{"value":"topic","kind":"kafka","cluster":"planted","topic":"planted"}]},
                 "settings":{"dcp_stream_boundary":"everything","secrets":{"API_KEY":"planted-read"}}}""".formatted(
                        FUNCTION,
                        JsonMapper.shared().writeValueAsString(code),
                        BUCKET,
                        META,
                        String.join(",", bindings),
                        databases));
        api.put(Api.document(BUCKET, "1"), "{\"n\":\"" + control + "\"}").succeeded();
        await().atMost(Api.PATIENCE)
                .untilAsserted(() -> assertThat(api.log(FUNCTION))
                        .contains("No connection to the database of binding 'own'")
                        .contains("No connection to the database of binding 'shared'")
                        .contains("The Kafka cluster 'planted' cannot be used"));
        assertThat(api.log(FUNCTION)).as("the code has read the secret").contains("\"a key of\" 24 \"characters\"");
    }

    /** A secret that the code reads as a constant. */
    private void readSecret() {
        api.put(
                        "/api/v1/secrets/planted-read",
                        "{\"function\":\"%s\",\"value\":\"%s\"}"
                                .formatted(FUNCTION, planted("secret that the code reads")))
                .succeeded();
    }

    /** Settings with an account and a mistake, the missing semicolon behind it. The operator's file itself is not searched. */
    private void cluster() throws IOException {
        Files.writeString(clusterFile(), """
                bootstrap.servers=127.0.0.1:9
                security.protocol=SASL_PLAINTEXT
                sasl.mechanism=PLAIN
                sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="planted" password="%s"
                ssl.key.password=%s
                """.formatted(
                        planted("password of a Kafka cluster"), planted("password of a key for Kafka")));
    }

    private static Path clusterFile() {
        return RunningSuite.kafkaClusters().resolve("planted.properties");
    }

    private static String binding(String type, String credentials) {
        return "{\"value\":\"%s\",\"hostname\":\"http://127.0.0.1:9/\",\"auth_type\":\"%s\",%s}"
                .formatted(type, type, credentials);
    }

    private static void files(Map<String, byte[]> places) throws IOException {
        Path login = Path.of(Objects.requireNonNull(RunningSuite.environment().get("MILLRACE_LOGIN")));
        Path root =
                Objects.requireNonNull(Objects.requireNonNull(login.getParent()).getParent()); // has data and logs
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                places.put(root.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
    }

    private static void environments(Map<String, byte[]> places) throws IOException {
        ProcessHandle services =
                ProcessHandle.of(RunningSuite.get().pid(Service.EVENTING)).orElseThrow();
        List<ProcessHandle> processes =
                Stream.concat(Stream.of(services), services.descendants()).toList();
        assertThat(processes).as("the services and their workers").hasSizeGreaterThan(1);
        for (ProcessHandle process : processes) {
            for (String file : List.of("environ", "cmdline")) {
                Path path = Path.of("/proc/" + process.pid() + "/" + file);
                if (Files.exists(path)) { // not on other systems than Linux
                    places.put(path.toString(), Files.readAllBytes(path));
                }
            }
        }
    }

    /** What every GET answers to the administrator. */
    private void answers(Map<String, byte[]> places) throws IOException, InterruptedException {
        List<String> paths = new ArrayList<>(MatrixRows.all().stream()
                .filter(row -> row.service() == Service.GATEWAY && row.method().equals("GET"))
                .filter(row -> !row.path().contains("/log")) // a feed, of what getAppLog returns
                .filter(row -> !row.path().startsWith("/api/v1/topics/")) // a feed without end
                .map(row -> row.path()
                        .replace("/functions/absent", "/functions/" + FUNCTION)
                        .replace("/stats/absent", "/stats/" + FUNCTION)
                        .replace("/status/absent", "/status/" + FUNCTION)
                        .replace("/local/absent", "/local/" + USER)
                        .replace("/_metakv/matrix/absent", "/_metakv/")
                        .replace("?bucket=matrix&scope=_default", ""))
                .distinct()
                .toList());
        paths.addAll(List.of(
                "/getAppLog?name=" + FUNCTION + "&size=200000",
                "/_metakv/eventing/",
                "/_metakv/eventing/functions/" + FUNCTION,
                "/_metakv/eventing/functions/" + FUNCTION + "?history",
                "/_metakv/users/" + USER,
                "/_metakv/users/" + USER + "?history",
                "/_metakv/users/",
                "/_metakv/apikeys/",
                "/_metakv/secrets/",
                "/couch/" + BUCKET + "/_all_docs?include_docs=true",
                "/couch/_metakv/_all_docs?include_docs=true",
                "/api/v1/export?format=zip"));
        for (String path : paths) {
            HttpRequest request = HttpRequest.newBuilder(RunningSuite.gateway().resolve(path))
                    .timeout(Api.PATIENCE)
                    .header("Authorization", BuiltSuite.LOGIN.authorization())
                    .build();
            byte[] body = http.send(request, BodyHandlers.ofByteArray()).body();
            places.put("GET " + path, path.endsWith("zip") ? unpacked(body) : body);
        }
        places.put("GET /_metakv/, watched", watched("/_metakv/"));
        String trial = api.post(
                        "/api/v1/functions/" + FUNCTION + "/dry-run",
                        "{\"change\":{\"id\":\"2\",\"document\":{\"tells\":true}}}")
                .succeeded()
                .body();
        assertThat(trial).contains("<API_KEY>");
        places.put("a dry run of code that logs what it reads", trial.getBytes(StandardCharsets.UTF_8));
    }

    /** What a watch of MetaKV begins with: all entries. */
    private byte[] watched(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(RunningSuite.gateway().resolve(path))
                .header("Authorization", BuiltSuite.LOGIN.authorization())
                .header("Accept", "text/event-stream")
                .timeout(Api.PATIENCE)
                .build();
        StringBuilder all = new StringBuilder();
        HttpResponse<InputStream> answer = http.send(request, BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (line != null && !line.startsWith("event:ready")) {
                all.append(line).append('\n');
                line = lines.readLine();
            }
        }
        assertThat(all).contains("/eventing/functions/" + FUNCTION);
        return all.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] unpacked(byte[] zip) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (ZipInputStream entries = new ZipInputStream(new ByteArrayInputStream(zip))) {
            while (entries.getNextEntry() != null) {
                entries.transferTo(all);
            }
        }
        assertThat(all.size()).isPositive();
        return all.toByteArray();
    }

    private static void assertFound(Map<String, byte[]> places, String prefix, String wanted) {
        assertThat(places.entrySet().stream()
                        .filter(place -> place.getKey().startsWith(prefix))
                        .filter(place -> holds(new String(place.getValue(), StandardCharsets.ISO_8859_1), wanted))
                        .map(Map.Entry::getKey))
                .as("the control word in %s", prefix)
                .isNotEmpty();
    }

    /** Returns whether a text holds a piece of a secret, plain or in base64 at any offset. */
    private static boolean holds(String text, String secret) {
        for (String piece : List.of(secret.substring(0, PIECE), secret.substring(secret.length() - PIECE))) {
            if (text.contains(piece)) {
                return true;
            }
            for (int offset = 0; offset < 3; offset++) {
                byte[] shifted = (" ".repeat(offset) + piece).getBytes(StandardCharsets.ISO_8859_1);
                String encoded = Base64.getEncoder().withoutPadding().encodeToString(shifted);
                if (text.contains(encoded.substring(offset == 0 ? 0 : 4, encoded.length() - 2))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private HttpResponse<String> login(String path, String field, String user, String password)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(RunningSuite.gateway().resolve(path))
                .timeout(Api.PATIENCE)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"%s\":\"%s\",\"password\":\"%s\"}".formatted(field, user, password)))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private void form(String method, String path, String form, String authorization)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(RunningSuite.gateway().resolve(path))
                .timeout(Api.PATIENCE)
                .header("Authorization", authorization.isEmpty() ? BuiltSuite.LOGIN.authorization() : authorization)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .method(method, form.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(form))
                .build();
        int status = http.send(request, BodyHandlers.discarding()).statusCode();
        assertThat(status).as(method + " " + path).isIn(200, form.isEmpty() ? 401 : 200);
    }

    private void clean(List<String> keys) {
        keys.forEach(id -> api.delete("/api/v1/keys/" + id));
        api.undeploy(FUNCTION);
        api.delete("/api/v1/secrets/planted");
        api.delete("/api/v1/secrets/planted-sql");
        api.delete("/api/v1/secrets/planted-read");
        for (String user : List.of(USER, USER + "-2", USER + "-3")) {
            api.delete("/settings/rbac/users/local/" + user);
        }
    }
}
