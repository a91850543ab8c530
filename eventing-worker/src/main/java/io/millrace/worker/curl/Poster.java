package io.millrace.worker.curl;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import io.millrace.worker.addresses.Addresses;
import io.millrace.workerprotocol.HandlerSettings;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Posts to the URL of one binding: with its credentials, to addresses that functions may call, without following redirects.
 * Thread-safe; a call blocks its thread and ends when that is interrupted.
 */
public final class Poster {

    /** What is read of a response: enough to see why a request was refused. */
    private static final int MAX_RESPONSE_BYTES = 4096;

    /**
     * A response.
     *
     * @param text the beginning of its body
     */
    public record Response(int status, Optional<String> retryAfter, String text) {}

    /** There is no response. */
    public static final class NoResponse extends Exception {

        private static final long serialVersionUID = 1L;
        private final boolean passes;

        NoResponse(String why, boolean passes) {
            super(why);
            this.passes = passes;
        }

        /** Returns whether the same request may be answered later. */
        public boolean passes() {
            return passes;
        }
    }

    private final Endpoint endpoint;

    /** @param redisUri an address that is never called */
    public Poster(HandlerSettings.Url url, HandlerSettings.Access access, String redisUri) {
        Addresses addresses = new Addresses(
                access.allowed(), access.refused(), redisUri, InetAddress::getAllByName, "MILLRACE_CURL_ALLOWED");
        endpoint = new Endpoint(url, addresses, MAX_RESPONSE_BYTES, true);
    }

    /**
     * Sends a body and waits for the response.
     *
     * @param trace the value of the header {@code traceparent}; null for none
     * @param deadline by {@link System#nanoTime}
     */
    public Response post(byte[] body, Map<String, String> headers, @Nullable String trace, long deadline)
            throws NoResponse {
        Map<String, String> sent = new HashMap<>(headers);
        sent.put("Accept-Encoding", "identity"); // the beginning of a packed body cannot be read
        HttpCall call =
                new HttpCall("POST", "", "", null, null, sent, body, null, false, 0, HttpCall.UrlEncoding.V7_2_0);
        try {
            URI url = Urls.of(endpoint.url(), call);
            HttpCall.Answer answer = endpoint.send(call, url, trace, deadline);
            return new Response(
                    answer.status(),
                    Optional.ofNullable(answer.headers().get("Retry-After")),
                    new String(answer.body(), StandardCharsets.UTF_8));
        } catch (Endpoint.Failed e) {
            throw new NoResponse(e.why(), e.passes());
        } catch (HostFailure e) {
            throw new NoResponse(e.description(), false);
        }
    }

    public void close() {
        endpoint.close();
    }
}
