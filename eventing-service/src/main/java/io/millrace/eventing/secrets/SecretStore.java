package io.millrace.eventing.secrets;

import io.millrace.eventing.configuration.MetakvWatch;
import io.millrace.eventing.definition.Credential;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.SecretNames;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvEntry;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The secrets in MetaKV below {@value #DIRECTORY}, followed by a watch. Each one has a name and its place: the origin of the
 * only server that it is sent to, or the only function whose code reads it. Who may change a function, but not the secret, cannot
 * have it sent or read elsewhere. Values are encrypted here and decrypted here; nothing else of the suite sees them. Thread-safe;
 * nothing blocks; methods fail with {@link SecretException}, or with {@code MetakvException} while MetaKV cannot be reached.
 */
public final class SecretStore implements AutoCloseable {

    static final String DIRECTORY = "/secrets/";

    /** What the place of a secret that code reads begins with; no URL that is accepted does. */
    public static final String FUNCTION = "function:";

    /** The longest secret. */
    static final int MAX_VALUE_CHARS = 16_384;

    private static final Logger LOG = LoggerFactory.getLogger(SecretStore.class);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern JDBC = Pattern.compile("jdbc:[A-Za-z][A-Za-z0-9]*:\\S+");

    private static final int OWN_BYTES = 16;
    private static final int REWRAPS_AT_ONCE = 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * A secret without its value.
     *
     * @param origin scheme, host and port of the server that it is sent to, the JDBC URL of the database, or {@link
     *     #FUNCTION} and the name of the function whose code reads it
     * @param keyId the master key that encrypts it
     */
    public record Info(String name, String origin, Instant changed, String keyId) {}

    private record Stored(String name, String origin, Instant changed, Envelope envelope) {

        String context() {
            return context(name, origin);
        }

        static String context(String name, String origin) {
            return "millrace secret " + name + " for " + origin;
        }

        byte[] toBytes() {
            return JSON.writeValueAsBytes(JSON.createObjectNode()
                    .put("origin", origin)
                    .put("changed", changed.toString())
                    .put("key", envelope.keyId())
                    .put("wrapped", envelope.wrappedKey())
                    .put("value", envelope.value()));
        }

        static @Nullable Stored parse(MetakvEntry entry) {
            try {
                JsonNode json = JSON.readTree(entry.value());
                Envelope envelope = new Envelope(
                        json.path("key").asString(""),
                        json.path("wrapped").binaryValue(),
                        json.path("value").binaryValue());
                return new Stored(
                        entry.path().substring(DIRECTORY.length()),
                        json.path("origin").asString(""),
                        Instant.parse(json.path("changed").asString("")),
                        envelope);
            } catch (JacksonException | java.time.DateTimeException unreadable) {
                LOG.error("event=secret_unreadable path={} reason=\"{}\"", entry.path(), unreadable.getMessage());
                return null;
            }
        }
    }

    private final MetakvClient metakv;
    private final @Nullable MasterKeys keys;
    private final InstantSource clock;
    private final Map<String, Stored> mirror = new ConcurrentHashMap<>();
    private final MetakvWatch watch;

    /**
     * @param masterKeys the master keys, one on each line, the current one first; blank for none
     * @throws IllegalArgumentException if they are not keys
     */
    public static SecretStore on(MetakvClient metakv, String masterKeys, InstantSource clock) {
        return new SecretStore(metakv, masterKeys.isBlank() ? null : MasterKeys.parse(masterKeys), clock);
    }

    private SecretStore(MetakvClient metakv, @Nullable MasterKeys keys, InstantSource clock) {
        this.metakv = metakv;
        this.watch = new MetakvWatch(metakv, DIRECTORY, this::take);
        this.keys = keys;
        this.clock = clock;
    }

    /** Begins to follow the changes of other nodes. */
    public void start() {
        watch.start();
    }

    private void take(MetakvClient.MetakvEvent event) {
        switch (event) {
            case MetakvClient.MetakvEvent.Changed(MetakvEntry entry) -> {
                Stored stored = Stored.parse(entry);
                if (stored != null) {
                    mirror.put(stored.name(), stored);
                }
            }
            case MetakvClient.MetakvEvent.Deleted(String path) -> mirror.remove(path.substring(DIRECTORY.length()));
            case MetakvClient.MetakvEvent.Ready() -> {}
        }
    }

    @Override
    public void close() {
        watch.close();
    }

    /** Returns whether this node has a master key. */
    public boolean available() {
        return keys != null;
    }

    /** Stores a secret that is sent to a server, under a name that a user has chosen, in place of the one with this name. */
    public Mono<Void> put(String name, String url, String value) {
        return Mono.defer(() -> named(name, origin(url), value));
    }

    /** Stores a secret that the code of a function reads, under a name that a user has chosen, in place of the one with this name. */
    public Mono<Void> put(String name, FunctionName function, String value) {
        return Mono.defer(() -> named(name, place(function), value));
    }

    private Mono<Void> named(String name, String place, String value) {
        if (!SecretNames.NAME.matcher(name).matches()) {
            throw SecretException.invalid(
                    "'%s' is not a name for a secret: use 1 to 100 letters, digits, '.', '_' and '-', the first one a letter or a digit."
                            .formatted(name));
        }
        return stored(name, place, value).then();
    }

    /** Stores a secret and returns the name that it was given; users can neither choose nor use such names. */
    public Mono<String> keep(String url, String value) {
        return Mono.defer(() -> {
            byte[] random = new byte[OWN_BYTES];
            RANDOM.nextBytes(random);
            return stored(Credential.GENERATED_PREFIX + HexFormat.of().formatHex(random), origin(url), value);
        });
    }

    private Mono<String> stored(String name, String place, String value) {
        if (value.isEmpty() || value.length() > MAX_VALUE_CHARS) {
            throw SecretException.invalid("A secret must have 1 to %d characters.".formatted(MAX_VALUE_CHARS));
        }
        Envelope envelope = keys().seal(Stored.context(name, place), value);
        Stored secret = new Stored(name, place, clock.instant(), envelope);
        return metakv.set(DIRECTORY + name, secret.toBytes())
                .doOnNext(rev -> mirror.put(name, secret))
                .thenReturn(name);
    }

    private MasterKeys keys() {
        if (keys == null) {
            throw SecretException.noMasterKey();
        }
        return keys;
    }

    /** Deletes a secret; does nothing if there is none. */
    public Mono<Void> delete(String name) {
        return metakv.delete(DIRECTORY + name).doOnSuccess(done -> mirror.remove(name));
    }

    /** Returns the secrets that users have named, ordered by name. */
    public Mono<List<Info>> list() {
        return metakv.list(DIRECTORY)
                .map(entries -> entries.stream()
                        .map(Stored::parse)
                        .filter(stored -> stored != null
                                && !Credential.secret(stored.name()).generated())
                        .map(stored -> new Info(
                                stored.name(),
                                stored.origin(),
                                stored.changed(),
                                stored.envelope().keyId()))
                        .toList());
    }

    /**
     * Returns the value of a secret for requests to a URL. Fails with NOT_FOUND, OTHER_ORIGIN, NO_MASTER_KEY or UNREADABLE.
     */
    public Mono<String> reveal(String name, String url) {
        return opened(name, () -> origin(url));
    }

    /** Returns the value of a secret for the code of a function; fails like the value for a URL. */
    public Mono<String> reveal(String name, FunctionName function) {
        return opened(name, () -> place(function));
    }

    private Mono<String> opened(String name, Supplier<String> place) {
        Stored known = mirror.get(name);
        Mono<Stored> found =
                known != null ? Mono.just(known) : metakv.get(DIRECTORY + name).mapNotNull(Stored::parse);
        return found.switchIfEmpty(Mono.error(() -> SecretException.notFound(name)))
                .map(stored -> {
                    String wanted = place.get();
                    if (!stored.origin().equals(wanted)) {
                        throw SecretException.otherOrigin(name, stored.origin(), wanted);
                    }
                    return keys().open(stored.context(), stored.envelope());
                });
    }

    /** Encrypts the keys of all secrets with the current master key, and returns how many were under another one. */
    public Mono<Integer> rewrap() {
        return Mono.defer(() -> {
            MasterKeys master = keys();
            return metakv.list(DIRECTORY)
                    .flatMapMany(Flux::fromIterable)
                    .flatMap(entry -> rewrapped(master, entry), REWRAPS_AT_ONCE)
                    .reduce(0, Integer::sum);
        });
    }

    /** A conflict is not a failure: the secret has just been written, with the current key. */
    private Mono<Integer> rewrapped(MasterKeys master, MetakvEntry entry) {
        Stored stored = Stored.parse(entry);
        if (stored == null || stored.envelope().keyId().equals(master.current())) {
            return Mono.just(0);
        }
        Stored fresh = new Stored(
                stored.name(),
                stored.origin(),
                stored.changed(),
                master.rewrapped(stored.context(), stored.envelope()));
        return metakv.set(entry.path(), fresh.toBytes(), entry.rev())
                .map(outcome -> outcome instanceof MetakvClient.WriteOutcome.Written ? 1 : 0);
    }

    /** Deletes those of some generated secrets that other ones do not include. */
    public Mono<Void> forget(Collection<String> before, Collection<String> after) {
        return Flux.fromIterable(before)
                .filter(name -> Credential.secret(name).generated() && !after.contains(name))
                .flatMap(this::delete)
                .then();
    }

    private static String place(FunctionName function) {
        return FUNCTION + function;
    }

    /** Returns scheme, host and port of a URL, or a whole JDBC URL without its parameters. */
    private static String origin(String url) {
        if (JDBC.matcher(url).matches()) {
            return url.split("[?;]", 2)[0];
        }
        try {
            URI uri = URI.create(url);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
                return scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + ":" + port;
            }
        } catch (IllegalArgumentException notAnUri) {
            // refused below
        }
        throw SecretException.invalid("'%s' is not an http or https URL or a JDBC URL.".formatted(url));
    }
}
