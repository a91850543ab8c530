package io.millrace.subdocservice.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.VBuckets;
import io.millrace.subdocservice.rest.RestServer.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URLEncoder;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole documents over HTTP. */
abstract class DocumentsContract extends RestContract {

    @Test
    void put_createsThenReplaces() {
        Answer created = http.put(doc("a"), "{\"n\":1}");
        Answer replaced = http.put(doc("a"), "{\"n\":2}");
        Answer read = http.get(doc("a"));

        assertThat(created.status()).isEqualTo(201);
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(replaced.json().get("cas").asLong())
                .isGreaterThan(created.json().get("cas").asLong());
        assertThat(replaced.etag()).isEqualTo("\"" + replaced.json().get("cas").asLong() + "\"");
        assertThat(read.text()).isEqualTo("{\"n\":2}");
        assertThat(read.etag()).isEqualTo(replaced.etag());
        assertThat(read.header("Content-Type")).contains("application/json");
        assertThat(read.header("Millrace-Seqno")).contains("2").isEqualTo(replaced.header("Millrace-Seqno"));
        assertThat(read.header("Millrace-Vbucket")).contains(Integer.toString(VBuckets.of("a")));
        assertThat(read.header("Millrace-Expiry")).isEmpty();
    }

    @Test
    void put_bytesAreKeptAsTheyAreSpelt() {
        String spelling = " {\"z\": 1.50e+3 ,\"a\":[ ] , \"\\u00e9\":\"\\/é\",\"n\":12345678901234567890123}\r\n";

        http.put(doc("a"), spelling);

        assertThat(http.get(doc("a")).text()).isEqualTo(spelling);
    }

    @Test
    void put_binary() {
        byte[] bytes = {0, (byte) 0xff, '{', '\n', (byte) 0x80};

        Answer written = http.send("PUT", doc("a"), bytes, "Content-Type", "application/octet-stream");
        Answer read = http.get(doc("a"));

        assertThat(written.status()).isEqualTo(201);
        assertThat(read.body()).isEqualTo(bytes);
        assertThat(read.header("Content-Type")).contains("application/octet-stream");
    }

    @Test
    void put_otherContentType() {
        Answer refused = http.put(doc("a"), "{}", "Content-Type", "application/x-www-form-urlencoded");

        assertThat(refused.error()).isEqualTo("415 unsupported_media_type");
        assertThat(refused.json().get("detail").asString()).contains("-H 'Content-Type: application/json'");
        assertThat(http.get(doc("a")).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"nonsense, 415 unsupported_media_type", "application/*, 415 unsupported_media_type"})
    void put_unreadableContentType(String type, String error) {
        assertThat(http.put(doc("a"), "{}", "Content-Type", type).error()).isEqualTo(error);
        assertThat(http.put(doc("a") + "/xattrs", "{}", "Content-Type", type).error())
                .isEqualTo(error);
        assertThat(http.post(bucketPath() + "/bulk", "{}", "Content-Type", type).error())
                .isEqualTo(error);
    }

    @Test
    void put_unreadableQuery() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", http.port())) {
            socket.getOutputStream()
                    .write(("PUT " + doc("a") + "?expiry=%zz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n1")
                            .getBytes(UTF_8));

            assertThat(statusLine(socket)).contains(" 400 ");
        }
    }

    @Test
    void put_malformedJson() {
        http.put(doc("a"), "{\"n\":1}");

        Answer refused = http.put(doc("a"), "{\n  \"n\": oops\n}", "Content-Type", "application/json");

        assertThat(refused.error()).isEqualTo("400 invalid_json");
        assertThat(refused.json().get("line").asInt()).isEqualTo(2);
        assertThat(refused.json().get("column").asInt()).isEqualTo(8);
        assertThat(http.get(doc("a")).text()).isEqualTo("{\"n\":1}");
    }

    @Test
    void put_emptyBody() {
        assertThat(http.put(doc("a"), "").error()).isEqualTo("400 invalid_json");
    }

    @Test
    void put_ifMatch() {
        String first = http.put(doc("a"), "1").etag();
        String second = http.put(doc("a"), "2", "If-Match", first).etag();

        Answer stale = http.put(doc("a"), "3", "If-Match", first);
        Answer unquoted = http.put(doc("a"), "4", "If-Match", second.replace("\"", ""));

        assertThat(stale.error()).isEqualTo("412 precondition_failed");
        assertThat(stale.etag()).isEqualTo(second);
        assertThat(unquoted.status()).isEqualTo(200);
        assertThat(http.get(doc("a")).text()).isEqualTo("4");
    }

    @Test
    void put_ifMatchOfAbsentDocument() {
        String etag = http.put(doc("a"), "1").etag();
        http.delete(doc("a"));

        assertThat(http.put(doc("a"), "2", "If-Match", etag).error()).isEqualTo("412 precondition_failed");
        assertThat(http.put(doc("a"), "2", "If-Match", "*").error()).isEqualTo("412 precondition_failed");
        assertThat(http.put(doc("b"), "2", "If-Match", etag).error()).isEqualTo("412 precondition_failed");
        assertThat(http.get(doc("a")).status()).isEqualTo(404);
    }

    @Test
    void put_ifNoneMatchStar() {
        Answer created = http.put(doc("a"), "1", "If-None-Match", "*");
        Answer refused = http.put(doc("a"), "2", "If-None-Match", "*");

        assertThat(created.status()).isEqualTo(201);
        assertThat(refused.error()).isEqualTo("412 precondition_failed");
        assertThat(refused.etag()).isEqualTo(created.etag());
        assertThat(http.get(doc("a")).text()).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource({"If-Match,abc", "If-Match,'\"1\", \"2\"'", "If-Match,\"0\"", "If-Match,W/\"1\"", "If-None-Match,\"1\""})
    void put_unusablePrecondition(String header, String value) {
        http.put(doc("a"), "1");

        assertThat(http.put(doc("a"), "2", header, value).error()).isEqualTo("400 invalid_header");
        assertThat(http.get(doc("a")).text()).isEqualTo("1");
    }

    @Test
    void post_createsOnly() {
        Answer created = http.post(doc("a"), "1");
        Answer refused = http.post(doc("a"), "2");

        assertThat(created.status()).isEqualTo(201);
        assertThat(refused.error()).isEqualTo("409 document_exists");
        assertThat(refused.etag()).isEqualTo(created.etag());
        assertThat(http.post(doc("a"), "2", "If-Match", created.etag()).error()).isEqualTo("400 invalid_header");
        assertThat(http.get(doc("a")).text()).isEqualTo("1");
    }

    @Test
    void get_ifNoneMatch() {
        String etag = http.put(doc("a"), "1").etag();

        Answer unchanged = http.get(doc("a"), "If-None-Match", "\"7\", " + etag);
        http.put(doc("a"), "2");
        Answer changed = http.get(doc("a"), "If-None-Match", etag);

        assertThat(unchanged.status()).isEqualTo(304);
        assertThat(unchanged.etag()).isEqualTo(etag);
        assertThat(unchanged.body()).isEmpty();
        assertThat(changed.text()).isEqualTo("2");
    }

    @Test
    void head_headersOfGet() {
        http.put(doc("a"), "{\"n\":1}");

        Answer head = http.head(doc("a"));
        Answer get = http.get(doc("a"));

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.header("Content-Length")).contains("7");
        assertThat(head.response().headers().map().keySet())
                .containsAll(get.response().headers().map().keySet());
        assertThat(http.head(doc("b")).status()).isEqualTo(404);
    }

    @Test
    void delete_leavesNothing() {
        String etag = http.put(doc("a"), "1").etag();

        Answer stale = http.delete(doc("a"), "If-Match", "\"77\"");
        Answer deleted = http.delete(doc("a"), "If-Match", etag);

        assertThat(stale.error()).isEqualTo("412 precondition_failed");
        assertThat(stale.etag()).isEqualTo(etag);
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(deleted.etag()).isNotEqualTo(etag);
        assertThat(http.get(doc("a")).error()).isEqualTo("404 document_not_found");
        assertThat(http.delete(doc("a")).error()).isEqualTo("404 document_not_found");
        assertThat(http.delete(doc("a"), "If-Match", etag).error()).isEqualTo("404 document_not_found");
    }

    @Test
    void idempotencyKey_writeHappensOnce() {
        Answer first = http.put(doc("a"), "1", "Idempotency-Key", "k1");
        http.put(doc("a"), "2");

        Answer again = http.put(doc("a"), "3", "Idempotency-Key", "k1"); // what the first one wrote is gone
        Answer other = http.delete(doc("a"), "Idempotency-Key", "k1");

        assertThat(first.header("Idempotent-Replayed")).isEmpty();
        assertThat(again.header("Idempotent-Replayed")).contains("true");
        assertThat(again.etag()).isEqualTo(first.etag());
        assertThat(other.status()).isEqualTo(204);
        assertThat(other.header("Idempotent-Replayed")).isEmpty();
        assertThat(http.get(doc("a")).status()).isEqualTo(404);
        assertThat(http.delete(doc("a"), "Idempotency-Key", "k1").etag()).isEqualTo(other.etag());
    }

    @Test
    void idempotencyKey_ofAnotherBody_isRefused() {
        http.put(doc("a"), "1", "Idempotency-Key", "k1");

        assertThat(http.put(doc("a"), "2", "Idempotency-Key", "k1").error()).isEqualTo("422 idempotency_key_reused");
        assertThat(http.get(doc("a")).text()).isEqualTo("1");
    }

    @Test
    void idempotencyKey_repeatedInsert_isNotAConflict() {
        Answer first = http.post(doc("a"), "1", "Idempotency-Key", "k1");
        Answer again = http.post(doc("a"), "1", "Idempotency-Key", "k1");

        assertThat(again.status()).isEqualTo(201);
        assertThat(again.etag()).isEqualTo(first.etag());
        assertThat(http.post(doc("a"), "1", "Idempotency-Key", "x".repeat(256)).error())
                .isEqualTo("400 invalid_header");
    }

    @ParameterizedTest
    @CsvSource({
        "?expiry=60, 2026-11-21T10:01:00Z",
        "?expiry=2592000, 2026-12-21T10:00:00Z",
        "?expiry=1795255200, 2026-11-21T10:00:00Z",
        "?expiry=1795255201, 2026-11-21T10:00:01Z",
        "?expiry=2026-11-21T12:30:00%2B02:00, 2026-11-21T10:30:00Z",
        "?expiry=2026-11-21T12:30:00+02:00, 2026-11-21T10:30:00Z"
    })
    void expiry_forms(String query, String time) {
        Answer written = http.put(doc("a") + query, "1");

        if (time.equals("2026-11-21T10:00:00Z")) {
            assertThat(written.error()).isEqualTo("400 invalid_parameter");
        } else {
            assertThat(http.get(doc("a")).header("Millrace-Expiry")).contains(time);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "soon", "1.5", "3456000", "4294967296", "2026-11-21", "2026-11-21T10:00:00"})
    void expiry_refused(String expiry) {
        assertThat(http.put(doc("a") + "?expiry=" + expiry, "1").error()).isEqualTo("400 invalid_parameter");
        assertThat(http.get(doc("a")).status()).isEqualTo(404);
    }

    @Test
    void expiry_header() {
        http.put(doc("a"), "1", "Expires-In", "3456000");

        assertThat(http.get(doc("a")).header("Millrace-Expiry")).contains("2026-12-31T10:00:00Z");
        assertThat(http.put(doc("a") + "?expiry=1", "1", "Expires-In", "1").error())
                .isEqualTo("400 invalid_parameter");
        assertThat(http.put(doc("a"), "1", "Expires-In", "x").error()).isEqualTo("400 invalid_parameter");
    }

    @Test
    void expiry_documentGoesWhenItsTimeComes() {
        http.put(doc("a") + "?expiry=60", "1");

        clock.advance(Duration.ofSeconds(59));
        assertThat(http.get(doc("a")).status()).isEqualTo(200);
        clock.advance(Duration.ofSeconds(1));
        assertThat(http.get(doc("a")).error()).isEqualTo("404 document_not_found");
        assertThat(http.post(doc("a"), "2").status()).isEqualTo(201);
    }

    @Test
    void expiry_replacementClearsUnlessPreserved() {
        http.put(doc("a") + "?expiry=60", "1");
        http.put(doc("a") + "?preserve_expiry=true", "2");
        assertThat(http.get(doc("a")).header("Millrace-Expiry")).contains("2026-11-21T10:01:00Z");

        http.put(doc("a"), "3");
        assertThat(http.get(doc("a")).header("Millrace-Expiry")).isEmpty();

        assertThat(http.put(doc("a") + "?preserve_expiry=yes", "4").error()).isEqualTo("400 invalid_parameter");
        assertThat(http.put(doc("a") + "?preserve_expiry=true&expiry=1", "4").error())
                .isEqualTo("400 invalid_parameter");
    }

    @Test
    void touch_changesTheExpiryAlone() {
        byte[] bytes = {1, 2, 3};
        String etag = http.send("PUT", doc("a"), bytes, "Content-Type", "application/octet-stream")
                .etag();

        Answer touched = http.post(doc("a") + "/touch?expiry=60", "");
        Answer read = http.get(doc("a"));

        assertThat(touched.status()).isEqualTo(200);
        assertThat(touched.etag()).isNotEqualTo(etag).isEqualTo(read.etag());
        assertThat(read.body()).isEqualTo(bytes);
        assertThat(read.header("Content-Type")).contains("application/octet-stream");
        assertThat(read.header("Millrace-Expiry")).contains("2026-11-21T10:01:00Z");
        assertThat(http.post(doc("a") + "/touch", "", "If-Match", etag).error()).isEqualTo("412 precondition_failed");
        assertThat(http.post(doc("b") + "/touch", "").error()).isEqualTo("404 document_not_found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a;b", "a b", "a+b", "žluť 水 😀", "a%2Fb", "a?b#c", "..a", "a:b@c&d=e", "\"'\\"})
    void id_anyCharacters(String id) {
        String encoded = URLEncoder.encode(id, UTF_8).replace("+", "%20");

        http.put(doc(encoded), "1");

        assertThat(store().get(new DocumentKey(Keyspace.of(bucket), id)).join()).isPresent();
        assertThat(http.get(doc(encoded)).text()).isEqualTo("1");
    }

    @Test
    void id_plainSemicolonBelongsToTheId() {
        http.put(doc("a;v=1"), "1");

        assertThat(http.get(doc("a;v=2")).status()).isEqualTo(404);
        assertThat(http.get(doc("a")).status()).isEqualTo(404);
        assertThat(http.get(doc("a%3Bv=1")).text()).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%FF", "%C0%80", "%ED%A0%80", "a%00b"})
    void id_refused(String encoded) {
        assertThat(http.put(doc(encoded), "1").error()).isEqualTo("400 invalid_id");
    }

    @Test
    void id_tooLong() {
        assertThat(http.put(doc("x".repeat(Limits.MAX_ID_BYTES)), "1").status()).isEqualTo(201);
        assertThat(http.put(doc("x".repeat(Limits.MAX_ID_BYTES + 1)), "1").error())
                .isEqualTo("400 invalid_id");
    }

    @Test
    void keyspace_fullPath() {
        http.put(bucketPath() + "/scopes/inventory", "");
        http.put(bucketPath() + "/scopes/inventory/collections/airline", "");
        String path = bucketPath() + "/scopes/inventory/collections/airline/docs/a";

        assertThat(http.put(path, "1").status()).isEqualTo(201);
        assertThat(http.get(path).text()).isEqualTo("1");
        assertThat(http.get(doc("a")).status()).isEqualTo(404);
        assertThat(http.put(bucketPath() + "/scopes/_default/collections/_default/docs/b", "2")
                        .status())
                .isEqualTo(201);
        assertThat(http.get(doc("b")).text()).isEqualTo("2");
    }

    @ParameterizedTest
    @CsvSource({
        "no-such-bucket/docs/a, 404 bucket_not_found",
        "BUCKET/scopes/nope/collections/_default/docs/a, 404 scope_not_found",
        "BUCKET/scopes/_default/collections/nope/docs/a, 404 collection_not_found",
        "_metakv/docs/a, 403 system_bucket",
        "%5Fmetakv/docs/a, 403 system_bucket",
        "_metakv/scopes/_default/collections/_default/docs/a/xattrs, 403 system_bucket"
    })
    void keyspace_refused(String path, String error) {
        String full = "/api/v1/buckets/" + path.replace("BUCKET", bucket);

        assertThat(http.get(full).error()).isEqualTo(error);
        assertThat(http.put(full, "{}").error()).isEqualTo(error);
        assertThat(http.delete(full).error()).isEqualTo(error);
    }

    @Test
    void path_unknown() {
        assertThat(http.get(doc("a/b")).error()).isEqualTo("404 not_found");
        assertThat(http.get("/api/v2").status()).isEqualTo(404);
    }

    @Test
    void method_notAllowed() {
        Answer refused = http.send("PATCH", doc("a"), "{}".getBytes(UTF_8));

        assertThat(refused.error()).isEqualTo("405 method_not_allowed");
        assertThat(refused.header("Allow")).contains("DELETE, GET, HEAD, POST, PUT");
    }

    @Test
    void xattrs_areSeparateFromTheBody() {
        http.put(doc("a") + "?expiry=60", "{\"n\":1}");
        assertThat(http.get(doc("a") + "/xattrs").text()).isEqualTo("{}");

        Answer written = http.put(doc("a") + "/xattrs", "{ \"src\":1.0}");
        Answer read = http.get(doc("a") + "/xattrs");
        assertThat(written.status()).isEqualTo(200);
        assertThat(read.text()).isEqualTo("{ \"src\":1.0}");
        assertThat(read.etag()).isEqualTo(written.etag());
        assertThat(http.get(doc("a")).text()).isEqualTo("{\"n\":1}");
        assertThat(http.get(doc("a")).header("Millrace-Expiry")).contains("2026-11-21T10:01:00Z");

        http.put(doc("a"), "{\"n\":2}");
        assertThat(http.get(doc("a") + "/xattrs").text()).isEqualTo("{ \"src\":1.0}");
        assertThat(http.put(doc("a") + "/xattrs", "{}", "If-Match", written.etag())
                        .error())
                .isEqualTo("412 precondition_failed");

        assertThat(http.delete(doc("a") + "/xattrs").status()).isEqualTo(204);
        assertThat(http.get(doc("a") + "/xattrs").text()).isEqualTo("{}");
        assertThat(http.get(doc("a")).text()).isEqualTo("{\"n\":2}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"_sys\":1}|400 invalid_xattrs",
                "{\"$virtual\":1}|400 invalid_xattrs",
                "{\"\":1}|400 invalid_xattrs",
                "{\"a.b\":1}|400 invalid_xattrs",
                "{\"sixteen_bytes_xx\":1}|400 invalid_xattrs",
                "[1]|400 invalid_xattrs",
                "{|400 invalid_json",
                "{\"a\":1}|404 document_not_found"
            })
    void xattrs_refused(String body, String error) {
        assertThat(http.put(doc("a") + "/xattrs", body).error()).isEqualTo(error);
    }

    @Test
    void largeDocument_upToTheLimit() {
        byte[] largest = new byte[Limits.MAX_DOCUMENT_BYTES];

        Answer written = http.send("PUT", doc("a"), largest, "Content-Type", "application/octet-stream");

        assertThat(written.status()).isEqualTo(201);
        assertThat(http.get(doc("a")).body()).hasSize(Limits.MAX_DOCUMENT_BYTES);
    }

    @Test
    void oversizeDocument_refusedBeforeItIsSent() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", http.port())) {
            socket.getOutputStream().write(head("Content-Length: " + (Limits.MAX_DOCUMENT_BYTES + 1)));

            assertThat(statusLine(socket)).contains(" 413 ");
        }
    }

    @Test
    void oversizeDocument_refusedWhenTheLimitIsPassed() throws IOException {
        byte[] chunk = new byte[64 * 1024];
        try (Socket socket = new Socket("127.0.0.1", http.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(head("Transfer-Encoding: chunked"));
            for (int sent = 0; sent <= Limits.MAX_DOCUMENT_BYTES; sent += chunk.length) {
                out.write("10000\r\n".getBytes(UTF_8));
                out.write(chunk);
                out.write("\r\n".getBytes(UTF_8));
            }
            out.flush();

            assertThat(statusLine(socket)).contains(" 413 ");
        }
    }

    private byte[] head(String header) {
        return ("PUT " + doc("a") + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
                        + header + "\r\n\r\n")
                .getBytes(UTF_8);
    }

    private static String statusLine(Socket socket) throws IOException {
        socket.setSoTimeout(10_000);
        StringBuilder line = new StringBuilder();
        for (int b = socket.getInputStream().read();
                b >= 0 && b != '\n';
                b = socket.getInputStream().read()) {
            line.append((char) b);
        }
        return line.toString();
    }
}
