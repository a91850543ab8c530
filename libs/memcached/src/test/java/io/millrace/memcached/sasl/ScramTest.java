package io.millrace.memcached.sasl;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.memcached.sasl.ScramServer.SaslStep;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScramTest {

    private static final byte[] DECOY_KEY = {7, 7, 7, 7};
    private static final byte[] SALT = Base64.getDecoder().decode("QSXCR+Q6sek8bf92");

    @Test
    void exampleOfRfc5802_succeeds() {
        ScramClient client = new ScramClient(ScramMechanism.SCRAM_SHA1, "user", "pencil", "fyko+d2lbbFgONRv9qkxdawL");

        assertThat(text(client.start())).isEqualTo("n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL");
        assertThat(text(client.answer(bytes("r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096"))))
                .isEqualTo("c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=");
        assertThat(client.accepts(bytes("v=rmF9pqV8S7suAoZWja4dJRkFsKQ="))).isTrue();
        assertThat(client.accepts(bytes("v=amF9pqV8S7suAoZWja4dJRkFsKQ="))).isFalse();
    }

    @Test
    void exampleOfRfc7677_succeeds() {
        ScramClient client = new ScramClient(ScramMechanism.SCRAM_SHA256, "user", "pencil", "rOprNGfwEbeRWgbNEkqO");

        byte[] answer = client.answer(
                bytes("r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"));

        assertThat(text(answer))
                .isEqualTo("c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                        + "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
        assertThat(client.accepts(bytes("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void rightPassword_succeeds(ScramMechanism mechanism) {
        for (String name : List.of("user", "a,b=c=2C", "ä€😀")) {
            ScramKeys keys = mechanism.derive("pässword", SALT, 10);
            ScramClient client = new ScramClient(mechanism, name, "pässword", "nonce");
            ScramServer server = new ScramServer(mechanism, asked -> asked.equals(name) ? keys : null, 10, DECOY_KEY);

            SaslStep.Challenge challenge = (SaslStep.Challenge) server.start(client.start());
            SaslStep end = server.finish(client.answer(challenge.message()));

            assertThat(end).isInstanceOfSatisfying(SaslStep.Done.class, done -> {
                assertThat(done.user()).isEqualTo(name);
                assertThat(client.accepts(done.message())).isTrue();
            });
            assertThat(ScramMechanism.named(mechanism.label())).contains(mechanism);
        }
    }

    @ParameterizedTest
    @EnumSource
    void wrongPasswordAndUnknownUser_areIndistinguishable(ScramMechanism mechanism) {
        ScramKeys keys = mechanism.derive("right", new byte[16], 10);
        for (String name : List.of("user", "unknown")) {
            ScramClient client = new ScramClient(mechanism, name, "wrong", "nonce");
            ScramServer server = new ScramServer(mechanism, asked -> asked.equals("user") ? keys : null, 10, DECOY_KEY);

            SaslStep.Challenge challenge = (SaslStep.Challenge) server.start(client.start());

            assertThat(text(challenge.message())).matches("r=nonce.{24},s=.{22}==,i=10");
            assertThat(server.finish(client.answer(challenge.message()))).isInstanceOf(SaslStep.Failed.class);
        }
    }

    @Test
    void unknownUser_hasTheSameSaltEveryTime() {
        ScramServer server = new ScramServer(ScramMechanism.SCRAM_SHA1, name -> null, 10, DECOY_KEY);
        ScramServer restarted = new ScramServer(ScramMechanism.SCRAM_SHA1, name -> null, 10, DECOY_KEY.clone());
        ScramServer ofAnotherCluster = new ScramServer(ScramMechanism.SCRAM_SHA1, name -> null, 10, new byte[] {1});

        String first = salt(server, "a");

        assertThat(salt(server, "a")).isEqualTo(first);
        assertThat(salt(restarted, "a")).isEqualTo(first);
        assertThat(salt(ofAnotherCluster, "a")).isNotEqualTo(first);
        assertThat(salt(server, "b")).isNotEqualTo(first);
    }

    private static String salt(ScramServer server, String user) {
        SaslStep.Challenge challenge = (SaslStep.Challenge) server.start(bytes("n,,n=" + user + ",r=x"));
        return text(challenge.message()).split(",")[1];
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n",
                "n,,",
                "n,,n=user",
                "n,,r=x",
                "n,,n=user,r=",
                "n,,n=us=er,r=x",
                "p=tls-unique,,n=user,r=x",
                "x,,n=user,r=x",
                "n,a=other,n=user,r=x",
                "n,,m=ext,n=user,r=x",
                "n,,n=user,n=user,r=x",
                "n,,user,r=x",
                "\u0000\u0001"
            })
    void malformedFirstMessage_fails(String message) {
        ScramServer server = new ScramServer(ScramMechanism.SCRAM_SHA1, name -> null, 10, DECOY_KEY);

        assertThat(server.start(bytes(message))).isInstanceOf(SaslStep.Failed.class);
    }

    @Test
    void finalMessage_malformedOrOfAnotherLogin_fails() {
        ScramKeys keys = ScramMechanism.SCRAM_SHA1.derive("pencil", SALT, 10);
        ScramClient client = new ScramClient(ScramMechanism.SCRAM_SHA1, "user", "pencil", "nonce");
        ScramServer server = new ScramServer(ScramMechanism.SCRAM_SHA1, name -> keys, 10, DECOY_KEY);

        SaslStep.Challenge challenge = (SaslStep.Challenge) server.start(client.start());
        String good = text(client.answer(challenge.message()));
        for (String bad : List.of(
                "",
                "c=biws",
                good.replace("c=biws", "c=eSws"),
                good.replace("r=nonce", "r=other"),
                good.replaceAll(",p=.*", ""),
                good.replaceAll(",p=.*", ",p=!!"),
                good.replaceAll(",p=.*", ",p=AAAA"),
                good + "=")) {
            server.start(client.start());
            assertThat(server.finish(bytes(bad))).as(bad).isInstanceOf(SaslStep.Failed.class);
        }
        assertThat(server.finish(bytes(good))).isInstanceOf(SaslStep.Failed.class);
    }

    @Test
    void plainMessage_hasThreeParts() {
        assertThat(PlainMessage.parse(bytes("\0user\0pass"))).contains(new PlainMessage("user", "pass"));
        assertThat(PlainMessage.parse(bytes("user\0user\0"))).contains(new PlainMessage("user", ""));
        for (String bad : List.of("", "user", "\0user", "\0\0pass", "other\0user\0pass", "\0user\0pass\0")) {
            assertThat(PlainMessage.parse(bytes(bad))).isEmpty();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
