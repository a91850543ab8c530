package io.millrace.subdocservice.kv;

import io.millrace.memcached.sasl.ScramMechanism;
import io.millrace.subdocservice.kv.command.Session;
import io.millrace.subdocservice.users.CertificateUser;
import io.millrace.subdocservice.users.Logins;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.util.Optional;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * TLS for the binary protocol, with the certificate that the HTTP server has. New connections use a renewed certificate as
 * soon as its files have changed. A client that presents a certificate of the trusted authority is the user whom the common
 * name of the certificate names.
 */
final class KvTls {

    /** The name of the bundle with the certificate of this service. */
    static final String BUNDLE = "millrace";

    private static final Logger LOG = LoggerFactory.getLogger(KvTls.class);

    private final Predicate<String> known;
    private volatile SslContext context;

    private KvTls(SslContext context, Predicate<String> known) {
        this.context = context;
        this.known = known;
    }

    /** Returns TLS with the certificate of the service, or nothing if it has none. */
    static Optional<KvTls> of(SslBundles bundles, Logins logins) {
        if (!bundles.getBundleNames().contains(BUNDLE)) {
            return Optional.empty();
        }
        KvTls tls = new KvTls(
                context(bundles.getBundle(BUNDLE)), user -> logins.keys(user, ScramMechanism.SCRAM_SHA512) != null);
        bundles.addBundleUpdateHandler(BUNDLE, tls::renew);
        return Optional.of(tls);
    }

    private void renew(SslBundle renewed) {
        context = context(renewed);
        LOG.info("event=kv_certificate_renewed");
    }

    /** Adds TLS to a new connection; once it is set up, a user with a certificate is logged in. */
    void secure(Channel channel, Session session) {
        SslHandler handler = context.newHandler(channel.alloc());
        handler.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                user(handler.engine().getSession()).filter(known).ifPresent(session::certified);
            }
        });
        channel.pipeline().addLast(handler);
    }

    private static SslContext context(SslBundle bundle) {
        try {
            boolean trusts = bundle.getStores().getTrustStore() != null;
            SslContextBuilder builder =
                    SslContextBuilder.forServer(bundle.getManagers().getKeyManagerFactory());
            return trusts
                    ? builder.trustManager(bundle.getManagers().getTrustManagerFactory())
                            .clientAuth(ClientAuth.OPTIONAL)
                            .build()
                    : builder.build();
        } catch (SSLException e) {
            throw new IllegalStateException(
                    "The certificate of MILLRACE_TLS_CERTIFICATE cannot be used: " + e.getMessage(), e);
        }
    }

    private static Optional<String> user(SSLSession session) {
        try {
            return CertificateUser.of(session.getPeerCertificates());
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty(); // the client has not presented a certificate
        }
    }
}
