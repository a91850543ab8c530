package io.millrace.benchmarks.faults;

import io.millrace.benchmarks.faults.Fault.Meanwhile;
import io.millrace.launcher.suite.Service;
import io.millrace.testkit.FlakyProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What can happen to each process of a suite. */
final class Faults {

    static final String FLUSHED = "redis flushed";

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
                        () -> List.of(suite.redis().pid())),
                cut("redis", Meanwhile.NO_DOCUMENTS, suite.redisWay()),
                pausedRedis(),
                fullMemory(),
                killedWorkers(),
                stopped("worker", Meanwhile.NOTHING, suite::workers)));
        suite.disk().ifPresent(disk -> faults.add(fullDisk(disk)));
        for (Service service : Service.values()) {
            String name = service.moduleName();
            faults.add(killed(service));
            faults.add(stopped(name, meanwhile(service), () -> List.of(suite.pid(service))));
            faults.add(cut(name, meanwhile(service), suite.way(service)));
        }
        return faults;
    }

    private static Meanwhile meanwhile(Service service) {
        return switch (service) {
            case EVENTING, METAKV -> Meanwhile.READS_ONLY;
            case SUBDOC -> Meanwhile.NO_DOCUMENTS;
            case GATEWAY -> Meanwhile.NO_ANSWERS;
        };
    }

    /** Returns the fault that deletes everything, after which health must not say that all is well. */
    Fault flushed() {
        return Fault.lasting(
                FLUSHED, Meanwhile.NO_DOCUMENTS, () -> suite.redis().console().call("FLUSHALL"), () -> {});
    }

    private Fault killedRedis() {
        return Fault.lasting(
                "redis killed",
                Meanwhile.NO_DOCUMENTS,
                () -> suite.redis().kill9(),
                () -> suite.redis().restart());
    }

    /** Redis takes connections and answers nothing. */
    private Fault pausedRedis() {
        long millis = length.toMillis();
        return Fault.passing(
                "redis frozen",
                Meanwhile.NO_DOCUMENTS,
                () -> suite.redis().console().call("CLIENT", "PAUSE", Long.toString(millis), "ALL"),
                () -> await(() -> suite.redis().console().answers()));
    }

    private Fault fullMemory() {
        return Fault.lasting(
                "redis full memory", Meanwhile.READS_ONLY, () -> set("maxmemory", "1"), () -> set("maxmemory", "0"));
    }

    private void set(String setting, String value) throws IOException {
        suite.redis().console().call("CONFIG", "SET", setting, value);
    }

    private Fault fullDisk(SmallDisk disk) {
        return Fault.lasting(
                "redis full disk",
                Meanwhile.READS_ONLY,
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
                () -> signal("KILL", List.of(suite.pid(service))),
                () -> await(() -> suite.serves(service)));
    }

    private Fault killedWorkers() {
        return Fault.lasting("worker killed", Meanwhile.NOTHING, () -> signal("KILL", suite.workers()), () -> {});
    }

    private interface Pids {
        List<Long> get();
    }

    private Fault stopped(String process, Meanwhile meanwhile, Pids pids) {
        return Fault.lasting(
                process + " stopped",
                meanwhile,
                () -> {
                    stopped = pids.get();
                    signal("STOP", stopped);
                },
                () -> signal("CONT", stopped));
    }

    private static Fault cut(String process, Meanwhile meanwhile, FlakyProxy way) {
        return Fault.lasting(process + " cut off", meanwhile, way::partition, way::heal);
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
