package io.millrace.handler.host;

import io.millrace.handler.HandlerSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call of {@code curl()}, with checked arguments.
 *
 * @param method {@code GET}, {@code POST}, {@code PUT}, {@code HEAD} or {@code DELETE}
 * @param binding the alias of a URL binding, one of {@link HandlerSpec#urls()}
 * @param path what to append to the binding's URL, as the code spelt it; may begin with {@code ?}
 * @param parameters the query: names with values, in this order; null for none or when {@code query} is given
 * @param query the query as one text, null for none
 * @param headers names and values, as the code spelt them
 * @param body what is sent, null for nothing
 * @param contentType the type of the body unless a header gives it; null without a body
 * @param redirect whether redirects are followed
 * @param timeoutSeconds the longest that the call may take, 0 when the code says nothing about it
 * @param encoding how path and query are escaped
 */
public record HttpCall(
        String method,
        String binding,
        String path,
        @Nullable List<Parameter> parameters,
        @Nullable String query,
        Map<String, String> headers,
        byte @Nullable [] body,
        @Nullable String contentType,
        boolean redirect,
        int timeoutSeconds,
        UrlEncoding encoding) {

    /** @param value a text, or the JSON text of anything else */
    public record Parameter(String name, String value) {}

    /** How a path and a query become parts of a URL. */
    public enum UrlEncoding {
        /** The path as it is, a query text as one escaped token, names and values of an object escaped. */
        V6_6_2,
        /** The path, and the names and values of a query text and of an object, escaped. */
        V7_1_0,
        /** Nothing is escaped again. */
        V7_2_0
    }

    /**
     * The answer to it.
     *
     * @param headers by name, as the server spelt them
     * @param body decoded from gzip or deflate; empty for none
     */
    public record Answer(int status, Map<String, String> headers, byte[] body) {}
}
