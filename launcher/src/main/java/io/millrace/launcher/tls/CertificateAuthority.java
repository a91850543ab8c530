package io.millrace.launcher.tls;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * An authority of one's own and the certificates that it has signed, as PEM files in a directory that is private to the user.
 * For a laptop and for tests; a real installation brings certificates that its clients trust already.
 */
public final class CertificateAuthority {

    /** The file with the keys, for which only this object knows the password. */
    static final String STORE = "authority.p12";

    private static final String VALID_DAYS = "825";

    private final Path directory;
    private final Path store;
    private final String password;

    private CertificateAuthority(Path directory, String password) {
        this.directory = directory;
        this.store = directory.resolve(STORE);
        this.password = password;
    }

    /**
     * The files of a certificate.
     *
     * @param certificate the chain, in PEM
     * @param key the private key, PKCS #8 in PEM
     */
    public record Pair(Path certificate, Path key) {}

    /** Makes a new authority; its key exists until this object is forgotten, and is never stored in clear. */
    public static CertificateAuthority create(Path directory) {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        var authority = new CertificateAuthority(directory, HexFormat.of().formatHex(random));
        authority.keytool(
                "-genkeypair",
                "-alias",
                "authority",
                "-dname",
                "CN=Millrace on this machine",
                "-ext",
                "bc:c",
                "-ext",
                "ku:c=keyCertSign");
        authority.write("authority.pem", authority.chain("authority"));
        return authority;
    }

    /** Returns the certificate of the authority, which clients trust. */
    public Path certificate() {
        return directory.resolve("authority.pem");
    }

    /** Signs a certificate for a server. {@code names} are in the form of keytool: {@code dns:localhost}. */
    public Pair forServer(String name, List<String> names) {
        return issue(name, "-ext", "san=" + String.join(",", names), "-ext", "eku=serverAuth,clientAuth");
    }

    /** Signs a certificate that identifies a user, who is its common name. */
    public Pair forUser(String user) {
        return issue(user, "-ext", "eku=clientAuth");
    }

    private Pair issue(String name, String... extensions) {
        List<String> words =
                new ArrayList<>(List.of("-genkeypair", "-alias", name, "-dname", "CN=" + name, "-signer", "authority"));
        words.addAll(List.of(extensions));
        keytool(words.toArray(String[]::new));
        return new Pair(write(name + ".pem", chain(name)), write(name + ".key", key(name)));
    }

    private void keytool(String... words) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")); // it ends before more would pay
        command.addAll(List.of(words));
        command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", VALID_DAYS));
        command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass:env", "STORE_KEY"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("STORE_KEY", password);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new LauncherException("keytool cannot make a certificate: " + output.strip());
            }
        } catch (IOException e) {
            throw new LauncherException("Cannot run the keytool of the JDK: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LauncherException("Interrupted while a certificate was made", e);
        }
    }

    private String chain(String alias) {
        try {
            StringBuilder chain = new StringBuilder();
            for (Certificate certificate : opened().getCertificateChain(alias)) {
                chain.append(pem("CERTIFICATE", certificate.getEncoded()));
            }
            return chain.toString();
        } catch (GeneralSecurityException e) {
            throw new LauncherException("Cannot read the certificate " + alias, e);
        }
    }

    private String key(String alias) {
        try {
            return pem(
                    "PRIVATE KEY",
                    opened().getKey(alias, password.toCharArray()).getEncoded());
        } catch (GeneralSecurityException e) {
            throw new LauncherException("Cannot read the key of " + alias, e);
        }
    }

    private KeyStore opened() throws GeneralSecurityException {
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore opened = KeyStore.getInstance("PKCS12");
            opened.load(in, password.toCharArray());
            return opened;
        } catch (IOException e) {
            throw new LauncherException("Cannot read " + store, e);
        }
    }

    private static String pem(String kind, byte[] encoded) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
    }

    private Path write(String name, String text) {
        Path file = directory.resolve(name);
        try {
            OwnerOnly.write(file, text);
            return file;
        } catch (IOException e) {
            throw new LauncherException("Cannot write " + file, e);
        }
    }
}
