package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.documents.Catalog;
import io.millrace.documents.SystemHandle;
import io.millrace.subdocservice.rest.RestServer.Answer;
import java.net.http.HttpRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Buckets, scopes and collections over HTTP. */
abstract class BucketsContract extends RestContract {

    @Test
    void list_hasTheBucketsOfWhichTheUserMaySeeAnything() {
        http.put("/api/v1/buckets/" + bucket + "-other", "");
        http.asker = Subject.user(
                "ann", Subject.Domain.LOCAL, Role.parseAll("data_reader[" + bucket + ":s:c],data_writer[absent]"));

        assertThat(http.get("/api/v1/buckets").json().findValuesAsString("name"))
                .contains(bucket)
                .doesNotContain(bucket + "-other");

        http.asker = Subject.open();
        assertThat(http.get("/api/v1/buckets").json().findValuesAsString("name"))
                .contains(bucket, bucket + "-other");
        http.delete("/api/v1/buckets/" + bucket + "-other");
    }

    @Test
    void putBucket_isIdempotentForTheSameShards() {
        http.delete(bucketPath());

        Answer created = http.put(bucketPath(), "{\"shards\":4}");
        Answer again = http.put(bucketPath(), "{\"shards\": 4}");
        Answer any = http.put(bucketPath(), "");
        Answer other = http.put(bucketPath(), "{\"shards\":8}");

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.json().get("shards").asInt()).isEqualTo(4);
        assertThat(again.status()).isEqualTo(200);
        assertThat(any.status()).isEqualTo(200);
        assertThat(other.error()).isEqualTo("409 bucket_exists");
        assertThat(other.json().get("detail").asString()).contains("4 shards");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"shards\":3}|400 invalid_shards",
                "{\"shards\":0}|400 invalid_shards",
                "{\"shards\":2048}|400 invalid_shards",
                "{\"shards\":\"1\"}|400 invalid_shards",
                "{\"shards\":1e1}|400 invalid_shards",
                "{\"shard\":1}|400 invalid_body",
                "[1]|400 invalid_json",
                "{\"shards\":1|400 invalid_json"
            })
    void putBucket_unusableSettings(String body, String error) {
        http.delete(bucketPath());

        assertThat(http.put(bucketPath(), body).error()).isEqualTo(error);
        assertThat(http.get(bucketPath()).error()).isEqualTo("404 bucket_not_found");
    }

    @Test
    void putBucket_settingsTooLarge() {
        assertThat(http.put(bucketPath(), " ".repeat(5000)).error()).isEqualTo("413 body_too_large");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%20b", "a%2Fb", "%C5%BE"})
    void putBucket_unusableName(String name) {
        Answer refused = http.put("/api/v1/buckets/" + name, "");

        assertThat(refused.error()).isEqualTo("400 invalid_name");
        assertThat(refused.json().get("detail").asString()).contains("A-Z a-z 0-9");
    }

    @Test
    void putBucket_nameTooLong() {
        assertThat(http.put("/api/v1/buckets/" + "x".repeat(101), "").error()).isEqualTo("400 invalid_name");
    }

    @Test
    void systemBuckets_hiddenAndRefused() {
        Catalog catalog = store().with(SystemHandle.STREAMS).catalog();
        if (catalog.find("_streams").join().isEmpty()) {
            catalog.createBucket("_streams", 1).join();
        }

        assertThat(http.get("/api/v1/buckets").text()).contains(bucket).doesNotContain("_streams");
        assertThat(http.put("/api/v1/buckets/_new", "").error()).isEqualTo("403 system_bucket");
        for (String method : List.of("GET", "PUT", "DELETE")) {
            for (String path : List.of("", "/scopes/s", "/scopes/s/collections/c", "/docs/a", "/docs/a/xattrs")) {
                HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString(method.equals("PUT") ? "{}" : "");
                assertThat(http.send(
                                        method,
                                        "/api/v1/buckets/_streams" + path,
                                        body,
                                        "Content-Type",
                                        "application/json")
                                .error())
                        .as("%s %s", method, path)
                        .isEqualTo("403 system_bucket");
            }
        }
        assertThat(http.post("/api/v1/buckets/_streams/bulk", "").error()).isEqualTo("403 system_bucket");
        assertThat(catalog.find("_streams").join()).isPresent();
    }

    @Test
    void counts_ofLivingDocuments() {
        http.put(bucketPath() + "/scopes/s", "");
        http.put(bucketPath() + "/scopes/s/collections/c", "");
        http.put(doc("a"), "1");
        http.put(doc("b"), "1");
        http.put(doc("b"), "2");
        http.put(bucketPath() + "/scopes/s/collections/c/docs/a", "1");
        http.put(bucketPath() + "/scopes/s/collections/c/docs/gone", "1");
        http.delete(bucketPath() + "/scopes/s/collections/c/docs/gone");

        JsonNode one = http.get(bucketPath()).json();
        JsonNode listed = http.get("/api/v1/buckets")
                .json()
                .valueStream()
                .filter(found -> found.get("name").asString().equals(bucket))
                .findFirst()
                .orElseThrow();

        assertThat(one.toString())
                .isEqualTo(listed.toString())
                .isEqualTo("{\"name\":\"%s\",\"shards\":1,\"documents\":3,\"scopes\":[".formatted(bucket)
                        + "{\"name\":\"_default\",\"documents\":2,\"collections\":[{\"name\":\"_default\",\"documents\":2}]},"
                        + "{\"name\":\"s\",\"documents\":1,\"collections\":[{\"name\":\"c\",\"documents\":1}]}]}");
        assertThat(http.get(bucketPath() + "/scopes").json()).isEqualTo(one.get("scopes"));
        assertThat(http.get(bucketPath() + "/scopes/s").json())
                .isEqualTo(one.get("scopes").get(1));
        assertThat(http.get(bucketPath() + "/scopes/s/collections").text())
                .isEqualTo("[{\"name\":\"c\",\"documents\":1}]");
        assertThat(http.get(bucketPath() + "/scopes/s/collections/c").text())
                .isEqualTo("{\"name\":\"c\",\"documents\":1}");
    }

    @Test
    void scopesAndCollections_createdAndDropped() {
        String scope = bucketPath() + "/scopes/s";
        String collection = scope + "/collections/c";

        assertThat(http.put(collection, "").error()).isEqualTo("404 scope_not_found");
        assertThat(http.put(scope, "").status()).isEqualTo(201);
        assertThat(http.put(scope, "").status()).isEqualTo(200);
        assertThat(http.put(collection, "").status()).isEqualTo(201);
        assertThat(http.put(collection, "").status()).isEqualTo(200);
        http.put(collection + "/docs/a", "1");
        assertThat(http.delete(collection).status()).isEqualTo(204);
        assertThat(http.delete(collection).error()).isEqualTo("404 collection_not_found");
        assertThat(http.get(collection).error()).isEqualTo("404 collection_not_found");
        http.put(collection, "");
        assertThat(http.get(collection + "/docs/a").error()).isEqualTo("404 document_not_found");
        assertThat(http.delete(scope).status()).isEqualTo(204);
        assertThat(http.delete(scope).error()).isEqualTo("404 scope_not_found");
        assertThat(http.get(collection).error()).isEqualTo("404 scope_not_found");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "?maxTtl=60 | '' | 400 invalid_parameter | a bucket has the setting 'shards'",
                "/scopes/s?maxTtl=60 | '' | 400 invalid_parameter | a scope has no settings",
                "/scopes/_default/collections/c?maxTtl=60 | '' | 400 invalid_parameter | documents expire by",
                "/scopes/s | {\"history\":true} | 400 invalid_body | The setting 'history' does not exist; a scope has no settings",
                "/scopes/_default/collections/c | {\"maxTTL\":60} | 400 invalid_body | The setting 'maxTTL' does not exist",
                "/scopes/_default/collections/c | {\"shards\":1} | 400 invalid_body | a collection has no settings",
                "/scopes/_default/collections/c | 60 | 400 invalid_json | The body is not JSON",
            })
    void settingsThatDoNotExist_areRefused(String path, String body, String error, String detail) {
        Answer answer = http.put(bucketPath() + path, body);

        assertThat(answer.error()).isEqualTo(error);
        assertThat(answer.json().get("detail").asString()).contains(detail);
        assertThat(http.get(bucketPath()).json().at("/scopes").toString())
                .as("nothing was created")
                .doesNotContain("\"s\"", "\"c\"");
        assertThat(http.put(bucketPath() + "/scopes/_default/collections/c", "{}")
                        .status())
                .as("no settings")
                .isEqualTo(201);
    }

    @Test
    void defaultScope_stays() {
        String scope = bucketPath() + "/scopes/_default";

        assertThat(http.put(scope, "").status()).isEqualTo(200);
        assertThat(http.delete(scope).error()).isEqualTo("400 invalid_name");
        assertThat(http.put(bucketPath() + "/scopes/_other", "").error()).isEqualTo("400 invalid_name");
        assertThat(http.put(scope + "/collections/_default", "").status()).isEqualTo(200);
    }

    @Test
    void deleteBucket_removesEverything() {
        http.put(doc("a"), "1");

        assertThat(http.delete(bucketPath()).status()).isEqualTo(204);
        assertThat(http.delete(bucketPath()).error()).isEqualTo("404 bucket_not_found");
        assertThat(http.put(bucketPath() + "/scopes/s", "").error()).isEqualTo("404 bucket_not_found");
        assertThat(http.put(bucketPath(), "").status()).isEqualTo(201);
        assertThat(http.get(doc("a")).error()).isEqualTo("404 document_not_found");
    }
}
