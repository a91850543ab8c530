package io.millrace.launcher.doctor;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.redis.RedisConsole;
import io.millrace.launcher.redis.RedisServer;
import io.millrace.launcher.suite.SuiteSettings;
import io.millrace.launcher.suite.SuiteState;
import io.millrace.launcher.tls.LocalCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks whether Millrace can run well here; every problem comes with its remedy. */
public final class Doctor {

    private static final long MIB = 1024 * 1024;
    private static final long LEAST_DISK_MIB = 100;
    private static final long GOOD_DISK_MIB = 2048;
    private static final long LEAST_MEMORY_MIB = 768;
    private static final long GOOD_MEMORY_MIB = 1536;
    private static final int OLDEST_REDIS_MAJOR = 7;
    private static final Pattern AVAILABLE = Pattern.compile("(?m)^MemAvailable:\\s+(\\d+) kB");
    private static final Pattern REDIS_VERSION = Pattern.compile("(?m)^(valkey|redis)_version:((\\d+)[.\\d]*)");

    private final SuiteSettings settings;
    private final Path data;
    private final Optional<SuiteState> running;
    private final Map<String, String> environment;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * Creates a doctor for the suite that would start with these settings.
     *
     * @param running the suite that uses the data directory now
     */
    public Doctor(SuiteSettings settings, Path data, Optional<SuiteState> running, Map<String, String> environment) {
        this.settings = settings;
        this.data = data;
        this.running = running;
        this.environment = environment;
    }

    /** Makes all checks. */
    public List<Finding> examine() {
        java();
        ports();
        redis();
        tls();
        disk();
        memory();
        return List.copyOf(findings);
    }

    private void java() {
        Runtime.Version version = Runtime.version();
        String detail = "Java " + version + " in " + System.getProperty("java.home");
        boolean optimizes = version.compareToIgnoreOptional(Runtime.Version.parse("25.0.3")) >= 0;
        findings.add(
                optimizes
                        ? Finding.ok("java", detail)
                        : Finding.warning(
                                "java",
                                detail + ": runs functions interpreted",
                                "Install JDK 25.0.3 or newer and run ./millrace again; it takes the newest one"
                                        + " found."));
    }

    private void ports() {
        if (running.isPresent()) {
            findings.add(Finding.ok(
                    "ports", "used by the running suite, " + running.get().gateway()));
            return;
        }
        try {
            settings.checkPorts();
            findings.add(Finding.ok("ports", "free"));
        } catch (LauncherException e) {
            String[] said = String.valueOf(e.getMessage()).split("\n", 2);
            findings.add(Finding.failure("ports", said[0], said.length < 2 ? "" : said[1].strip()));
        }
    }

    private void redis() {
        String given = environment.get("REDIS_URL");
        String url = given != null && !given.isBlank()
                ? given.strip()
                : running.map(SuiteState::redis).orElse("");
        if (given == null || given.isBlank()) {
            bundledRedis();
        }
        if (url.isEmpty()) {
            installedRedis();
        } else if (RedisConsole.isAddress(url)) {
            runningRedis(url);
        } else {
            findings.add(Finding.ok("redis", "not examined: the addresses of clusters are not"));
        }
    }

    /** The server of a system is kept current by it; nothing does that for the bundled one. */
    private void bundledRedis() {
        if (RedisServer.isBundled(environment)) {
            findings.add(Finding.warning(
                    "bundled redis",
                    "Redis " + RedisServer.bundledVersion()
                            + " is from January 2024: programs on this machine that connect to it"
                            + " can exploit weaknesses that were found since",
                    "Install valkey-server or redis-server with the packages of your system; the next start of"
                            + " Millrace takes it."));
        }
    }

    private void installedRedis() {
        try {
            findings.add(Finding.ok("redis", RedisServer.available(environment) + ", started by './millrace up'"));
        } catch (LauncherException e) {
            findings.add(Finding.failure(
                    "redis",
                    String.valueOf(e.getMessage()),
                    "Install redis-server or valkey-server 7.0 or newer, or set REDIS_URL."));
        }
    }

    private void runningRedis(String url) {
        RedisConsole redis = new RedisConsole(url, Duration.ofSeconds(2), environment::get);
        String shown = url.replaceFirst("//[^@/]*@", "//");
        try {
            Matcher version = REDIS_VERSION.matcher(redis.call("INFO", "server").replace("\r", ""));
            String name = version.find() ? version.group(1) + " " + version.group(2) : "an unknown server";
            if (version.hasMatch() && Integer.parseInt(version.group(3)) < OLDEST_REDIS_MAJOR) {
                findings.add(Finding.failure("redis", name + " at " + shown, "Use Redis 7.0 or newer, or Valkey."));
            } else {
                findings.add(Finding.ok("redis", name + " at " + shown));
            }
            durability(redis);
        } catch (IOException e) {
            findings.add(Finding.failure(
                    "redis",
                    "no answer at " + shown + ": " + e.getMessage(),
                    "Start it, or unset REDIS_URL to let Millrace start one."));
        }
    }

    private void durability(RedisConsole redis) throws IOException {
        if (redis.call("CONFIG", "GET", "appendonly").endsWith("yes")) {
            findings.add(Finding.ok("durability", "append-only file is on"));
        } else {
            findings.add(Finding.warning(
                    "durability",
                    "appendonly is off: a crash of Redis loses what it had acknowledged",
                    "redis-cli CONFIG SET appendonly yes, and set it in redis.conf."));
        }
        String policy = redis.call("CONFIG", "GET", "maxmemory-policy");
        if (!policy.endsWith("noeviction")) {
            findings.add(Finding.failure(
                    "eviction",
                    "maxmemory-policy is " + policy.substring(policy.lastIndexOf('\n') + 1)
                            + ": a full Redis deletes documents",
                    "redis-cli CONFIG SET maxmemory-policy noeviction, and set it in redis.conf."));
        }
    }

    private void tls() {
        LocalCertificate certificate = LocalCertificate.find(data).orElse(null);
        if (certificate == null) {
            return;
        }
        Path directory = certificate.key().getParent();
        String remedy = "Delete " + directory + " and restart with ./millrace up --tls, which makes a new certificate.";
        try {
            String hosts = String.join(", ", certificate.hosts());
            LocalDate end = LocalDate.ofInstant(certificate.end(), ZoneOffset.UTC);
            if (certificate.end().isBefore(Instant.now())) {
                findings.add(Finding.failure("tls", "the certificate of " + hosts + " ended on " + end, remedy));
            } else if (!certificate.isKeyPrivate()) {
                findings.add(Finding.failure("tls", "others may read " + certificate.key(), remedy));
            } else {
                findings.add(Finding.ok("tls", "certificate of " + hosts + " until " + end));
            }
        } catch (LauncherException | UncheckedIOException e) {
            findings.add(Finding.failure("tls", String.valueOf(e.getMessage()), remedy));
        }
    }

    private void disk() {
        Path existing = data.toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing == null || !Files.isWritable(existing)) {
            findings.add(Finding.failure(
                    "disk",
                    "cannot write to " + data,
                    "Set MILLRACE_DATA to a directory that you may write to, or change the permissions of this one."));
            return;
        }
        try {
            FileStore store = Files.getFileStore(existing);
            findings.add(amount(
                    "disk",
                    store.getUsableSpace() / MIB,
                    LEAST_DISK_MIB,
                    GOOD_DISK_MIB,
                    "free for " + data,
                    "Free some space, or set MILLRACE_DATA to a directory on another disk."));
        } catch (IOException e) {
            findings.add(
                    Finding.warning("disk", "unknown: " + e.getMessage(), "Look at the free space of " + data + "."));
        }
    }

    private void memory() {
        try {
            Matcher available = AVAILABLE.matcher(Files.readString(Path.of("/proc/meminfo")));
            if (available.find()) {
                findings.add(amount(
                        "memory",
                        Long.parseLong(available.group(1)) / 1024,
                        running.isPresent() ? 0 : LEAST_MEMORY_MIB,
                        running.isPresent() ? 0 : GOOD_MEMORY_MIB,
                        "available",
                        "End other programs, or use a machine with more memory."));
            }
        } catch (IOException e) {
            findings.add(Finding.ok("memory", "not examined on " + System.getProperty("os.name")));
        }
    }

    private static Finding amount(String check, long mib, long least, long good, String what, String remedy) {
        String detail = String.format(Locale.ROOT, "%,d MiB %s", mib, what);
        if (mib >= good) {
            return Finding.ok(check, detail);
        }
        String wanted = String.format(Locale.ROOT, "; %,d MiB are good, %,d the least", good, least);
        return mib >= least
                ? Finding.warning(check, detail + wanted, remedy)
                : Finding.failure(check, detail + wanted, remedy);
    }
}
