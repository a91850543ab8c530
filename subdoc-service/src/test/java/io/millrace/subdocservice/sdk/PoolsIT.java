package io.millrace.subdocservice.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.couchbase.client.java.manager.bucket.BucketSettings;
import com.couchbase.client.java.manager.user.Role;
import com.couchbase.client.java.manager.user.User;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The paths below {@code /pools}, which clients bootstrap from. */
class PoolsIT {

    private final SdkKit kit = SdkKit.shared();
    private final HttpClient http = HttpClient.newHttpClient();

    private HttpRequest request(String path, String password) {
        return request(path, SdkKit.USER, password);
    }

    private HttpRequest request(String path, String name, String password) {
        String user = name + ":" + password;
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + kit.httpPort() + path))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)))
                .build();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(request(path, SdkKit.PASSWORD), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode json(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(path).isEqualTo(200);
        return JsonMapper.shared().readTree(response.body());
    }

    @Test
    void bucket_isHealthyAndSaysWhereItIs() throws Exception {
        String name = kit.bucket.name();

        JsonNode bucket = json("/pools/default/buckets/" + name);

        assertThat(bucket.get("name").asString()).isEqualTo(name);
        assertThat(bucket.get("nodes").get(0).get("status").asString()).isEqualTo("healthy");
        assertThat(bucket.get("vBucketServerMap").get("vBucketMap").size()).isEqualTo(1024);
        JsonNode terse = json("/pools/default/b/" + name);
        assertThat(terse.get("nodesExt").get(0).get("services").get("kv").asInt())
                .isEqualTo(kit.kvPort());
        assertThat(json("/pools/default/buckets").toString()).contains("\"" + name + "\"");
    }

    @Test
    void pool_leadsToTheBuckets() throws Exception {
        String pool = json("/pools").get("pools").get(0).get("uri").asString();
        assertThat(json(pool).get("buckets").get("uri").asString()).isEqualTo("/pools/default/buckets");
        assertThat(json(pool).get("nodes").get(0).get("ports").get("direct").asInt())
                .isEqualTo(kit.kvPort());
        assertThat(json("/pools/default/nodeServices").get("nodesExt").size()).isEqualTo(1);
    }

    @Test
    void pools_saysWhetherTheUserIsAnAdministrator() throws Exception {
        User reader = new User("pools_reader").password(SdkKit.PASSWORD).roles(new Role("ro_admin"));
        kit.cluster.users().upsertUser(reader);

        String administrator = get("/pools").body();
        HttpRequest asReader = request("/pools", reader.username(), SdkKit.PASSWORD);
        HttpResponse<String> seen = await().until(
                        () -> http.send(asReader, HttpResponse.BodyHandlers.ofString()),
                        response -> response.statusCode() == 200);

        assertThat(administrator).contains("\"isAdminCreds\":true");
        assertThat(seen.body()).contains("\"isAdminCreds\":false");
    }

    @Test
    void stream_beginsWithTheConfiguration() throws Exception {
        HttpResponse<java.io.InputStream> response = http.send(
                request("/pools/default/bs/" + kit.bucket.name(), SdkKit.PASSWORD),
                HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            assertThat(JsonMapper.shared()
                            .readTree(lines.readLine())
                            .get("name")
                            .asString())
                    .isEqualTo(kit.bucket.name());
            assertThat(lines.readLine()).isEmpty();
        }
    }

    @Test
    @Timeout(40)
    void stream_endsWithItsBucket() throws Exception {
        String bucket = kit.bucket.name() + "-dropped";
        kit.cluster.buckets().createBucket(BucketSettings.create(bucket));
        HttpResponse<java.io.InputStream> response = http.send(
                request("/pools/default/bs/" + bucket, SdkKit.PASSWORD), HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isNotBlank();

            kit.cluster.buckets().dropBucket(bucket);

            assertThat(lines.lines()).allSatisfy(line -> assertThat(line).isBlank());
        }
    }

    @Test
    void missingOrForbiddenBucket_isRejected() throws Exception {
        assertThat(get("/pools/default/buckets/absent").statusCode()).isEqualTo(404);
        assertThat(get("/pools/default/b/_metakv").statusCode()).isEqualTo(403);
        HttpResponse<String> wrong = http.send(request("/pools", "wrong"), HttpResponse.BodyHandlers.ofString());
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(wrong.headers().firstValue("WWW-Authenticate"))
                .hasValueSatisfying(value -> assertThat(value).startsWith("Basic"));
        HttpRequest anonymous = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + kit.httpPort() + "/pools"))
                .header("Authorization", "Basic ???")
                .build();
        assertThat(http.send(anonymous, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(401);
    }
}
