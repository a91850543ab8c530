package io.millrace.testkit;

import io.millrace.testkit.ApiRoutes.Body;
import io.millrace.testkit.ApiRoutes.Route;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A request that is wrong in one to three ways: in its line, its headers, its path and query, or its body. The same seed and
 * routes make the same request.
 */
final class SpoiltRequest {

    private static final List<String> METHODS = List.of(
            "GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS", "COPY", "TRACE", "get", "FOO", "G\u0000T", "");

    private static final List<String> SEGMENTS = List.of(
            "",
            "%",
            "%zz",
            "%00",
            "%0d%0a",
            "%2e%2e%2f",
            "..",
            ".",
            "%2F",
            "a/b",
            "a;b=c",
            "_",
            "_x",
            "%20",
            "null",
            "-1",
            "99999999999999999999",
            "%F0%9F%98%80",
            "%C3%28",
            "%ff%fe",
            "%ed%a0%80",
            "$x",
            "{}",
            "[0]",
            "a..b",
            "*",
            "?",
            "#f",
            "%5B%22a%22%5D",
            "1e9",
            "true",
            "\"",
            "%22",
            "+",
            "\\",
            "@",
            "default:x.y.z",
            "x".repeat(252),
            "x".repeat(5000),
            "\u00e4",
            "_system",
            "_all_docs",
            "0-0",
            "1-",
            "-1-a");

    private static final List<String> HEADERS = List.of(
            "Content-Type: garbage",
            "Content-Type: application/json; charset=klingon",
            "Content-Type: text/plain",
            "Content-Type: application/xml",
            "Content-Type: multipart/form-data",
            "Content-Type: multipart/related; boundary=\"",
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Type: application/json;;;",
            "Content-Type: ",
            "Content-Encoding: gzip",
            "Content-Encoding: br",
            "Accept: garbage",
            "Accept: text/event-stream",
            "Accept: application/xml",
            "Accept: multipart/mixed",
            "Accept-Encoding: gzip;q=x",
            "Accept-Language: \u00ff\u00fe",
            "If-Match: garbage",
            "If-Match: \"99999999999999999999999\"",
            "If-Match: *, W/\"1\"",
            "If-None-Match: garbage",
            "If-None-Match: \"1\"",
            "If-Modified-Since: yesterday",
            "Idempotency-Key: ",
            "Idempotency-Key: " + "k".repeat(3000),
            "Range: bytes=5-1",
            "Range: bytes=-",
            "Range: lines=0-1,3-99999999999999999999",
            "X-HTTP-Method-Override: FOO",
            "X-HTTP-Method-Override: DELETE",
            "Destination: %zz",
            "Destination: ../x?rev=",
            "Last-Event-ID: x",
            "Last-Event-ID: 99999999999999999999",
            "Cookie: a=\"; ;;=b; \u0001",
            "Cookie: millrace=garbage; AuthSession=garbage",
            "Expect: 100-continue",
            "Expect: garbage",
            "Upgrade: websocket",
            "Connection: Upgrade, HTTP2-Settings",
            "HTTP2-Settings: %%%",
            "Transfer-Encoding: chunked",
            "Transfer-Encoding: garbage",
            "Content-Length: -1",
            "Content-Length: 5, 6",
            "Content-Length: 99999999999999999999",
            "Content-Length: x",
            "X-Forwarded-For: garbage",
            "X-Forwarded-Host: a b",
            "X-Forwarded-Proto: \"",
            "X-Forwarded-Port: x",
            "Forwarded: for=\"_;;",
            "X-Request-Id: " + "r".repeat(2000),
            "X-Changed-By: " + "c".repeat(2000),
            "Host: evil.example",
            "Host: ",
            "Host: [::1",
            "Origin: http://evil.example",
            "Origin: null",
            "Sec-Fetch-Site: cross-site",
            "Traceparent: 00-x",
            "Max-Forwards: x",
            "Name-only",
            ": no name",
            "Bad Name: x",
            "X-Long: " + "v".repeat(20_000));

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "-1",
            "0",
            "1e999",
            "-1e-999",
            "1.5",
            "99999999999999999999999",
            "\"\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "[]",
            "{}",
            "[[]]",
            "\"" + "y".repeat(3000) + "\"",
            "\"$1\"",
            "\"*\"",
            "\"..\"",
            "{\"\":{}}",
            "NaN",
            "'x'",
            "[1,",
            "\"2099-99-99T99:99:99Z\"",
            "\"P1Y\"",
            "\"-5s\"",
            "[null]",
            "{\"$eq\":{\"$or\":[[]]}}",
            "\"malformed\"",
            "[\"malformed\",1]",
            "true,\"x\":1");

    private static final String HOST = "127.0.0.1";

    private final Random random;
    private final List<Route> routes;
    private final String authorization;

    private Route route;
    private String method;
    private String target;
    private String version = "HTTP/1.1";
    private byte[] body = {};
    private final List<String> headers = new ArrayList<>();
    private boolean lengthGiven;

    private SpoiltRequest(Random random, List<Route> routes, String authorization) {
        this.random = random;
        this.routes = routes;
        this.authorization = authorization;
        this.route = routes.get(random.nextInt(routes.size()));
        this.method = route.method();
        this.target = route.target();
    }

    /**
     * Makes a request.
     *
     * @param authorization the value of the header
     */
    static SpoiltRequest of(long seed, List<Route> routes, String authorization) {
        Random random = new Random(seed);
        random.nextLong(); // the first numbers of neighbouring seeds are alike
        SpoiltRequest request = new SpoiltRequest(random, routes, authorization);
        request.begin();
        request.spoil();
        return request;
    }

    /** Returns the name of the service that has the route. */
    String service() {
        return route.service();
    }

    /** Returns whether the request may be one whose end the service waits for. */
    boolean mayBeUnfinished() {
        return lengthGiven;
    }

    /** Returns whether the answer may be a feed, which begins when there is something to say. */
    boolean mayBeFeed() {
        return target.contains("feed=") || headers.contains("Accept: text/event-stream");
    }

    private void begin() {
        if (!route.bodies().isEmpty()) {
            Body chosen = pick(route.bodies());
            body = chosen.text().getBytes(StandardCharsets.UTF_8);
            headers.add("Content-Type: " + chosen.type());
        }
    }

    private void spoil() {
        if (route.careful()) {
            body = random.nextBoolean() ? new byte[] {'{'} : "[\u0001".getBytes(StandardCharsets.UTF_8);
            target = target.replaceAll("/" + ApiRoutes.OWN + "(?=/|\\?|$)", "/%00");
            spoilHeader();
            return;
        }
        for (int ways = 1 + random.nextInt(3); ways > 0; ways--) {
            switch (random.nextInt(body.length == 0 ? 5 : 9)) {
                case 0 -> spoilPath();
                case 1 -> spoilQuery();
                case 2 -> spoilHeader();
                case 3 -> method = oneIn(4) ? pick(METHODS) : pick(routes).method();
                case 4 -> spoilLine();
                case 5, 6 -> spoilJson();
                default -> spoilBytes();
            }
        }
    }

    private void spoilLine() {
        switch (random.nextInt(8)) {
            case 0 -> version = pick(List.of("HTTP/1.0", "HTTP/2.0", "HTTP/3.9", "HTTP/x", "", "FTP/1.1"));
            case 1 -> target = "http://" + HOST + target;
            case 2 -> target = target.substring(1);
            case 3 -> target = "*";
            case 4 -> target = "/" + target;
            case 5 -> body = oneIn(2) ? new byte[0] : bytes(200);
            default -> spoilPath();
        }
    }

    private void spoilPath() {
        int end = target.indexOf('?') < 0 ? target.length() : target.indexOf('?');
        String[] segments = target.substring(0, end).split("/", -1);
        int at = segments.length < 2 ? 0 : 1 + random.nextInt(segments.length - 1);
        segments[at] = switch (random.nextInt(4)) {
            case 0 -> segments[at] + pick(SEGMENTS);
            case 1 -> segments[at] + "/" + pick(SEGMENTS);
            default -> pick(SEGMENTS);
        };
        target = String.join("/", segments) + target.substring(end);
    }

    private void spoilQuery() {
        int mark = target.indexOf('?');
        if (mark < 0 || oneIn(4)) {
            target += (mark < 0 ? "?" : "&")
                    + pick(List.of("a", "rev", "limit", "since", "expiry", "name", "%", "=", "&&", "x[]"))
                    + (oneIn(4) ? "" : "=" + pick(SEGMENTS));
            return;
        }
        String[] parts = target.substring(mark + 1).split("&", -1);
        int at = random.nextInt(parts.length);
        String name = parts[at].split("=", 2)[0];
        parts[at] = switch (random.nextInt(4)) {
            case 0 -> name;
            case 1 -> parts[at] + "&" + name + "=" + pick(SEGMENTS);
            default -> name + "=" + pick(SEGMENTS);
        };
        target = target.substring(0, mark + 1) + String.join("&", parts);
    }

    private void spoilHeader() {
        String header = pick(HEADERS);
        String name = header.split(":", 2)[0];
        if (!oneIn(5)) {
            headers.removeIf(one -> one.startsWith(name + ":"));
        }
        headers.add(header);
        lengthGiven |= name.equals("Content-Length") || name.equals("Transfer-Encoding");
    }

    /** Replaces, repeats or removes something between two marks of JSON, or in the words of a statement. */
    private void spoilJson() {
        String text = new String(body, StandardCharsets.UTF_8);
        List<Integer> marks = new ArrayList<>();
        for (int i = 0; i < text.length(); i++) {
            if (":,[{} ()=.".indexOf(text.charAt(i)) >= 0) {
                marks.add(i + 1);
            }
        }
        if (marks.isEmpty()) {
            spoilBytes();
            return;
        }
        int from = pick(marks);
        int to = marks.stream().filter(mark -> mark > from).findFirst().orElse(text.length());
        String piece = text.substring(from, to);
        String changed = switch (random.nextInt(6)) {
            case 0 -> "";
            case 1 -> piece + piece;
            case 2 -> pick(VALUES) + piece;
            case 3 -> pieceFrom(text, marks);
            default -> pick(VALUES) + (piece.isEmpty() ? "" : piece.substring(piece.length() - 1));
        };
        body = (text.substring(0, from) + changed + text.substring(to)).getBytes(StandardCharsets.UTF_8);
    }

    private String pieceFrom(String text, List<Integer> marks) {
        int from = pick(marks);
        return text.substring(from, Math.min(text.length(), from + random.nextInt(20)));
    }

    private void spoilBytes() {
        switch (random.nextInt(10)) {
            case 0 -> body = bytes(random.nextInt(300));
            case 1 -> body = new String(body, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_16LE);
            case 2 -> body = new String(body, StandardCharsets.UTF_8).getBytes(Charset.forName("UTF-32BE"));
            case 3 -> body = joined(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF}, body);
            case 4 -> body = joined(body, body);
            case 5 -> body = "[".repeat(1 + random.nextInt(100_000)).getBytes(StandardCharsets.UTF_8);
            case 6 -> body = pick(VALUES).getBytes(StandardCharsets.UTF_8);
            case 7 -> body = Arrays.copyOf(body, random.nextInt(body.length + 1));
            default -> {
                body = body.clone();
                for (int n = 1 + random.nextInt(3); n > 0 && body.length > 0; n--) {
                    body[random.nextInt(body.length)] = (byte) random.nextInt(256);
                }
            }
        }
    }

    /** Returns the request as it is sent; its connection is closed after the answer. */
    byte[] bytes() {
        StringBuilder head = new StringBuilder();
        head.append(method).append(' ').append(target);
        if (!version.isEmpty()) {
            head.append(' ').append(version);
        }
        head.append("\r\n");
        if (headers.stream().noneMatch(header -> header.startsWith("Host:"))) {
            head.append("Host: ").append(HOST).append("\r\n");
        }
        head.append("Authorization: ").append(authorization).append("\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        if (!lengthGiven) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        head.append("Connection: close\r\n\r\n");
        return joined(head.toString().getBytes(StandardCharsets.ISO_8859_1), body);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private boolean oneIn(int many) {
        return random.nextInt(many) == 0;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static byte[] joined(byte[] first, byte[] second) {
        var both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }
}
