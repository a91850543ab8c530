package io.millrace.worker.curl;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the URL of a call out of its binding's URL, path and query; never one that is not below the binding's. */
public final class Urls {

    private static final String UNRESERVED = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    /** What may stand in a path or query without being escaped (RFC 3986). */
    private static final String LEGAL = UNRESERVED + "!$&'()*+,;=:@/?%";

    private static final String LEGAL_IN_PATH_7_1 = UNRESERVED + "/";

    private Urls() {}

    /** Returns the URL that a call goes to; fails with a CurlError when there is none. */
    public static URI of(String bindingUrl, HttpCall call) throws HostFailure {
        URI base = parsed(bindingUrl);
        String path = call.path();
        String query = "";
        int mark = path.indexOf('?');
        if (mark >= 0) {
            query = path.substring(mark + 1);
            query = call.encoding() == HttpCall.UrlEncoding.V7_1_0 ? withEscapedValues(query) : escaped(query, LEGAL);
            path = path.substring(0, mark);
        }
        query = joined(base.getRawQuery(), query, query(call));
        String below = escaped(path, call.encoding() == HttpCall.UrlEncoding.V7_1_0 ? LEGAL_IN_PATH_7_1 : LEGAL);
        String full = confined(base.getRawPath() == null ? "" : base.getRawPath(), below);
        return parsed(base.getScheme() + "://" + place(base) + full + (query.isEmpty() ? "" : "?" + query));
    }

    private static URI parsed(String url) throws HostFailure {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            throw HostFailure.curlError("Unable to perform the request: URL using bad/illegal format or missing URL");
        }
    }

    /** Returns host and port, without a user name in front of them: credentials are fields of the binding. */
    private static String place(URI base) {
        String authority = String.valueOf(base.getRawAuthority());
        return authority.substring(authority.lastIndexOf('@') + 1);
    }

    private static String joined(@Nullable String... parts) {
        List<String> some = new ArrayList<>();
        for (String part : parts) {
            if (part != null && !part.isEmpty()) {
                some.add(part);
            }
        }
        return String.join("&", some);
    }

    private static String query(HttpCall call) {
        String text = call.query();
        if (text != null) {
            return switch (call.encoding()) {
                case V6_6_2 -> escaped(text, UNRESERVED);
                case V7_1_0 -> withEscapedValues(text);
                case V7_2_0 -> escaped(text, LEGAL);
            };
        }
        List<HttpCall.Parameter> parameters = call.parameters();
        if (parameters == null) {
            return "";
        }
        String kept = call.encoding() == HttpCall.UrlEncoding.V7_2_0 ? LEGAL : UNRESERVED;
        List<String> pairs = new ArrayList<>();
        for (HttpCall.Parameter parameter : parameters) {
            pairs.add(escaped(parameter.name(), kept) + "=" + escaped(parameter.value(), kept));
        }
        return String.join("&", pairs);
    }

    /** Escapes the names and values of a query, but not the signs between them. */
    private static String withEscapedValues(String query) {
        List<String> pairs = new ArrayList<>();
        for (String pair : query.split("&", -1)) {
            int sign = pair.indexOf('=');
            pairs.add(
                    sign < 0
                            ? escaped(pair, UNRESERVED)
                            : escaped(pair.substring(0, sign), UNRESERVED) + "="
                                    + escaped(pair.substring(sign + 1), UNRESERVED));
        }
        return String.join("&", pairs);
    }

    /** Appends a path to another one and refuses to leave it, however the way out is spelt. */
    private static String confined(String base, String below) throws HostFailure {
        String root = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        if (below.isEmpty()) {
            return base;
        }
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : (below.startsWith("/") ? below.substring(1) : below).split("/", -1)) {
            // the last step: parameters, which some servers take off before they look for dots
            String plain = segment.replaceAll("(?i)%2e", ".")
                    .replaceAll("(?i)%2f|%5c|\\\\", "/")
                    .replaceAll("(?i)(?:;|%3b)[^/]*", "");
            if (plain.equals("..") || plain.startsWith("../") || plain.endsWith("/..") || plain.contains("/../")) {
                if (!plain.equals("..") || segments.pollLast() == null) {
                    throw HostFailure.curlError("The path leads out of the URL of the binding");
                }
            } else if (!plain.equals(".")) {
                segments.addLast(segment);
            }
        }
        return root + "/" + String.join("/", segments);
    }

    private static String escaped(String text, String kept) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c < 0x80 && kept.indexOf(c) >= 0) {
                escaped.append(c);
            } else {
                escaped.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
                escaped.append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return escaped.toString();
    }
}
