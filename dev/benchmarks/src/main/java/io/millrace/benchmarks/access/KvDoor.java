package io.millrace.benchmarks.access;

import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.client.MemcachedClient.Answer;
import io.millrace.memcached.sasl.ScramMechanism;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;

/** The binary protocol, with SCRAM. An attacker sends a proof that is made up, which costs it no hash. */
final class KvDoor implements Door {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String MECHANISM = ScramMechanism.SCRAM_SHA256.label();
    private static final String PROOF = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    private static final int WINDOW = 16;

    private final URI server;
    private final String user;
    private final String password;
    private final String bucket;
    private final String id;

    /** @param id the document of the bucket that the user reads */
    KvDoor(URI server, String user, String password, String bucket, String id) {
        this.server = server;
        this.user = user;
        this.password = password;
        this.bucket = bucket;
        this.id = id;
    }

    @Override
    public Guesser guesser(InetAddress from) throws IOException {
        MemcachedClient client = new MemcachedClient(server.getHost(), server.getPort(), from, TIMEOUT);
        return new Guesser() {
            @Override
            public boolean guess(String name, String guessed) throws IOException {
                Answer challenge =
                        client.call(Call.of(Opcode.SASL_AUTH, MECHANISM).withValue("n,,n=" + name + ",r=" + guessed));
                if (challenge.status() != Status.AUTH_CONTINUE) {
                    return challenge.status() == Status.SUCCESS;
                }
                String nonce = challenge.text().split(",", 2)[0];
                return client.call(Call.of(Opcode.SASL_STEP, MECHANISM).withValue("c=biws," + nonce + ",p=" + PROOF))
                                .status()
                        == Status.SUCCESS;
            }

            @Override
            public void knock() throws IOException {
                for (int i = 0; i < 2; i++) {
                    if (client.call(Call.of(Opcode.GET, id)).status() != Status.EACCESS) {
                        throw new IOException("A request without a login was answered");
                    }
                }
            }

            @Override
            public void close() throws IOException {
                client.close();
            }
        };
    }

    @Override
    public Visitor visitor() throws IOException {
        MemcachedClient client = new MemcachedClient(server.getHost(), server.getPort(), TIMEOUT);
        Status login = client.authenticate(ScramMechanism.SCRAM_SHA256, user, password);
        Status selected = client.selectBucket(bucket);
        if (login != Status.SUCCESS || selected != Status.SUCCESS) {
            throw new IOException("The login returned %s, selecting the bucket %s".formatted(login, selected));
        }
        return new Visitor() {
            @Override
            public int work() throws IOException {
                for (int i = 0; i < WINDOW; i++) {
                    client.send(Call.of(Opcode.GET, id));
                }
                client.flush();
                for (int i = 0; i < WINDOW; i++) {
                    Status status = client.receive().status();
                    if (status != Status.SUCCESS) {
                        throw new IOException("The user's request was answered with " + status);
                    }
                }
                return WINDOW;
            }

            @Override
            public void close() throws IOException {
                client.close();
            }
        };
    }
}
