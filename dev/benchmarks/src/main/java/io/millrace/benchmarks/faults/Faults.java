package io.millrace.benchmarks.faults;

import io.millrace.benchmarks.faults.Fault.Meanwhile;
import io.millrace.launcher.suite.Service;
import io.millrace.testkit.FlakyProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** What can happen to each process of a suite. */
final class Faults {

    static final String FLUSHED = "redis flushed";

    private static final Set<Service> NONE = Set.of();
    private static final Set<Service> ALL = Set.of(Service.values());
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final FaultSuite suite;
    private final Duration length;
    private List<Long> stopped = List.of();

    /** A condition that becomes true. */
    private interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /** @param length how long a fault lasts that needs to know before */
    Faults(FaultSuite suite, Duration length) {
        this.suite = suite;
        this.length = length;
    }

    /** Returns all but the one that deletes everything. */
    List<Fault> all() {
        List<Fault> faults = new ArrayList<>(List.of(
                killedRedis(),
                stopped(
                        "redis",
                        Meanwhile.NO_DOCUMENTS,
                        ALL,
                        () -> List.of(suite.redis().pid())),
                cut("redis", Meanwhile.NO_DOCUMENTS, ALL, suite.redisWay()),
                pausedRedis(),
                readOnlyRedis(),
                replacedRedis(),
                fullMemory(),
                killedWorkers(),
                stopped("worker", Meanwhile.NOTHING, NONE, suite::workers)));
        suite.disk().ifPresent(disk -> faults.add(fullDisk(disk)));
        for (Service service : Service.values()) {
            String name = service.moduleName();
            faults.add(killed(service));
            faults.add(stopped(name, meanwhile(service), shut(service), () -> List.of(suite.pid(service))));
            faults.add(cut(name, meanwhile(service), shut(service), suite.way(service)));
        }
        return faults;
    }

    /** Without documents, configuration or logins the gateway is of no use; functions may be away for a while. */
    private static Set<Service> shut(Service service) {
        return service == Service.EVENTING ? Set.of(service) : EnumSet.of(service, Service.GATEWAY);
    }

    private static Meanwhile meanwhile(Service service) {
        return switch (service) {
            case EVENTING, METAKV -> Meanwhile.READS_ONLY;
            case SUBDOC -> Meanwhile.NO_DOCUMENTS;
            case GATEWAY -> Meanwhile.NO_ANSWERS;
        };
    }

    /** Returns the fault that deletes everything, users too, after which health must not say that all is well. */
    Fault flushed() {
        return Fault.lasting(
                FLUSHED,
                Meanwhile.NO_DOCUMENTS,
                EnumSet.of(Service.GATEWAY),
                () -> suite.redis().console().call("FLUSHALL"),
                () -> {});
    }

    private Fault killedRedis() {
        return Fault.lasting(
                "redis killed",
                Meanwhile.NO_DOCUMENTS,
                ALL,
                () -> suite.redis().kill9(),
                () -> suite.redis().restart());
    }

    /** Redis takes connections and answers nothing. */
    private Fault pausedRedis() {
        long millis = length.toMillis();
        return Fault.passing(
                "redis frozen",
                Meanwhile.NO_DOCUMENTS,
                ALL,
                () -> suite.redis().console().call("CLIENT", "PAUSE", Long.toString(millis), "ALL"),
                () -> await(() -> suite.redis().console().answers()));
    }

    /** Redis becomes the replica of another that is not there. */
    private Fault readOnlyRedis() {
        return Fault.lasting(
                "redis read-only",
                Meanwhile.READS_ONLY,
                NONE,
                () -> suite.redis().console().call("REPLICAOF", "127.0.0.1", "1"),
                () -> suite.redis().console().call("REPLICAOF", "NO", "ONE"));
    }

    /** The address of Redis leads to another one, which is empty, and then back. Meanwhile there are no users who could log in. */
    private Fault replacedRedis() {
        return Fault.lasting(
                "redis replaced",
                Meanwhile.NO_DOCUMENTS,
                EnumSet.of(Service.GATEWAY),
                suite::replaceRedis,
                suite::bringRedisBack);
    }

    private Fault fullMemory() {
        return Fault.lasting(
                "redis full memory",
                Meanwhile.READS_ONLY,
                NONE,
                () -> set("maxmemory", "1"),
                () -> set("maxmemory", "0"));
    }

    private void set(String setting, String value) throws IOException {
        suite.redis().console().call("CONFIG", "SET", setting, value);
    }

    private Fault fullDisk(SmallDisk disk) {
        return Fault.lasting(
                "redis full disk",
                Meanwhile.READS_ONLY,
                NONE,
                () -> {
                    disk.fill();
                    await(() -> lastWrite("err"));
                },
                () -> {
                    disk.free();
                    await(() -> lastWrite("ok"));
                });
    }

    private boolean lastWrite(String status) throws IOException {
        return suite.redis().console().call("INFO", "persistence").contains("aof_last_write_status:" + status);
    }

    private Fault killed(Service service) {
        return Fault.passing(
                service.moduleName() + " killed",
                meanwhile(service),
                shut(service),
                () -> signal("KILL", List.of(suite.pid(service))),
                () -> await(() -> suite.serves(service)));
    }

    private Fault killedWorkers() {
        return Fault.lasting("worker killed", Meanwhile.NOTHING, NONE, () -> signal("KILL", suite.workers()), () -> {});
    }

    private interface Pids {
        List<Long> get();
    }

    private Fault stopped(String process, Meanwhile meanwhile, Set<Service> shut, Pids pids) {
        return Fault.lasting(
                process + " stopped",
                meanwhile,
                shut,
                () -> {
                    stopped = pids.get();
                    signal("STOP", stopped);
                },
                () -> signal("CONT", stopped));
    }

    private static Fault cut(String process, Meanwhile meanwhile, Set<Service> shut, FlakyProxy way) {
        return Fault.lasting(process + " cut off", meanwhile, shut, way::partition, way::heal);
    }

    private static void signal(String signal, List<Long> pids) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
        pids.forEach(pid -> command.add(Long.toString(pid)));
        new ProcessBuilder(command).start().waitFor();
    }

    /** Returns when the latest look began that found the condition not to hold. */
    private static long await(Condition condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        long looked = System.nanoTime();
        long until = looked;
        while (!condition.holds()) {
            if (looked > deadline) {
                throw new IOException("The fault had not begun or ended after " + PATIENCE.toMinutes() + " minutes");
            }
            until = looked;
            LockSupport.parkNanos(LOOK.toNanos());
            looked = System.nanoTime();
        }
        return until;
    }
}
