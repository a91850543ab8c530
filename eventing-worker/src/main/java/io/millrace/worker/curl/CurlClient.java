package io.millrace.worker.curl;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import io.millrace.worker.addresses.Addresses;
import io.millrace.workerprotocol.HandlerSettings;
import java.net.InetAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The curl of a worker: one endpoint per URL binding, which keeps connections and cookies. Thread-safe; a call blocks
 * its thread and ends when that is interrupted.
 */
public final class CurlClient {

    private final Map<String, Endpoint> endpoints = new HashMap<>();
    private final ObjLongConsumer<String> counters;

    /**
     * @param redisUri an address that is never called
     * @param counters takes what is counted, by the statistic's name
     */
    public CurlClient(HandlerSettings settings, String redisUri, ObjLongConsumer<String> counters) {
        this.counters = counters;
        if (settings.urls().isEmpty()) {
            return;
        }
        Addresses addresses = new Addresses(
                settings.access().allowed(),
                settings.access().refused(),
                redisUri,
                InetAddress::getAllByName,
                "MILLRACE_CURL_ALLOWED");
        long limit = settings.curlMaxResponseBytes() == 0 ? Integer.MAX_VALUE - 8 : settings.curlMaxResponseBytes();
        for (HandlerSettings.Url url : settings.urls()) {
            endpoints.put(url.name(), new Endpoint(url, addresses, limit));
        }
    }

    /** Closes the connections. */
    public void close() {
        endpoints.values().forEach(Endpoint::close);
    }

    /**
     * @param nanos the longest that the call may take when the code says nothing about it
     * @param trace the value of the header {@code traceparent} unless the code gives one; null for none
     */
    public HttpCall.Answer send(HttpCall call, long nanos, @Nullable String trace) throws HostFailure {
        Endpoint endpoint = endpoints.get(call.binding());
        if (endpoint == null) {
            throw HostFailure.curlError("There is no URL binding '%s'".formatted(call.binding()));
        }
        counters.accept("curl." + call.method().toLowerCase(Locale.ROOT), 1);
        long begin = System.nanoTime();
        try {
            URI url = Urls.of(endpoint.url(), call);
            long most = call.timeoutSeconds() == 0 ? nanos : Math.min(nanos, call.timeoutSeconds() * 1_000_000_000L);
            HttpCall.Answer answer = endpoint.send(call, url, trace, begin + most);
            counters.accept("curl_success_count", 1);
            if (answer.status() != 200) {
                counters.accept("curl_non_200_response", 1);
            }
            return answer;
        } catch (Endpoint.Failed e) {
            counters.accept("curl_failure_count", 1);
            e.counter().ifPresent(counter -> counters.accept(counter, 1));
            throw HostFailure.curlError(String.valueOf(e.getMessage()));
        } catch (HostFailure e) {
            counters.accept("curl_failure_count", 1);
            throw e;
        } finally {
            long micros = (System.nanoTime() - begin) / 1000;
            counters.accept("curl_latency_stats." + (micros / 100 + 1) * 100, 1);
        }
    }
}
