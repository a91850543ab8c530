package io.millrace.gateway.proxy;

import io.millrace.access.Subject;
import io.millrace.accessspring.ClusterIdentity;
import io.millrace.accessspring.Subjects;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.server.ServerWebExchange;

/** Tells the services who asks: the subject of the request that the gateway serves, or the gateway itself. */
public final class PassedSubject {

    private static final String ATTRIBUTE = PassedSubject.class.getName();

    private PassedSubject() {}

    /** Returns the attributes of a call that is made for the subject of a request. */
    public static Consumer<Map<String, Object>> of(ServerWebExchange exchange) {
        return attributes -> attributes.put(ATTRIBUTE, Subjects.of(exchange));
    }

    /** Adds the token of a subject to a request that is passed on, in place of the credentials that it came with. */
    static void set(ClusterIdentity identity, Subject subject, HttpHeaders headers) {
        Map<String, String> passed = identity.headersFor(subject);
        if (!passed.isEmpty()) {
            headers.remove("Authorization");
            headers.remove("Cookie");
            passed.forEach(headers::set);
        }
    }

    /** Adds the token of the subject; calls that are not made for a request have the token of the gateway. */
    static ExchangeFilterFunction filter(ClusterIdentity identity) {
        return (request, next) -> {
            Map<String, String> passed = request.attribute(ATTRIBUTE)
                    .map(subject -> identity.headersFor((Subject) subject))
                    .orElseGet(identity::headers);
            return next.exchange(
                    passed.isEmpty()
                            ? request
                            : ClientRequest.from(request)
                                    .headers(headers -> {
                                        headers.remove("Authorization");
                                        headers.remove("Cookie");
                                        passed.forEach(headers::set);
                                    })
                                    .build());
        };
    }
}
