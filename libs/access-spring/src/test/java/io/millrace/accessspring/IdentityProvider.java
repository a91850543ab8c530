package io.millrace.accessspring;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** A small OpenID provider on loopback: a discovery document and public keys over HTTP, and tokens that it signs. */
public final class IdentityProvider implements AutoCloseable {

    private static final int ALWAYS = 1_000_000;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore answers = new Semaphore(ALWAYS);
    private final HttpServer server;
    private volatile ECKey key = newKey();

    public IdentityProvider() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext(
                "/.well-known/openid-configuration",
                exchange -> answer(
                        exchange, "{\"issuer\": \"" + issuer() + "\", \"jwks_uri\": \"" + issuer() + "/keys\"}"));
        server.createContext("/keys", exchange -> answer(exchange, publicKeys()));
        server.start();
    }

    private static ECKey newKey() {
        try {
            return new ECKeyGenerator(Curve.P_256)
                    .keyID(UUID.randomUUID().toString())
                    .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange exchange, String json) throws IOException {
        try {
            answers.acquire();
            answers.release();
        } catch (InterruptedException e) {
            exchange.close(); // the provider ends
            return;
        }
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Returns the URL that tokens name. */
    public String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    String publicKeys() {
        return new JWKSet(key.toPublicJWK()).toString();
    }

    ECKey key() {
        return key;
    }

    /** Signs with a new key from now on, and publishes only that one. */
    void rotate() {
        key = newKey();
    }

    /** Accepts connections from now on, but answers none. */
    void hang() {
        answers.drainPermits();
    }

    /** Returns whether someone waits for an answer. */
    boolean isAwaited() {
        return answers.hasQueuedThreads();
    }

    /** Returns claims that hold for ten minutes. */
    public JWTClaimsSet.Builder claims(String user, String audience, List<String> groups) {
        return new JWTClaimsSet.Builder()
                .issuer(issuer())
                .audience(audience)
                .subject(user)
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .claim("roles", groups);
    }

    /** Returns a signed token. */
    public String token(JWTClaimsSet.Builder claims) {
        try {
            return signed(
                    new JWSHeader.Builder(JWSAlgorithm.ES256)
                            .keyID(key.getKeyID())
                            .build(),
                    claims.build(),
                    new ECDSASigner(key));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static String signed(JWSHeader header, JWTClaimsSet claims, JWSSigner signer) throws JOSEException {
        SignedJWT token = new SignedJWT(header, claims);
        token.sign(signer);
        return token.serialize();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
