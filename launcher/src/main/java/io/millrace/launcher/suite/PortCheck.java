package io.millrace.launcher.suite;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.Ports;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Refuses settings with ports that are in use, all at once and with a way out that works. */
final class PortCheck {

    private static final int OFFSET_STEP = 100;
    private static final int OFFSETS_TRIED = 100;
    private static final int HIGHEST_PORT = 65_535;
    private static final int ANY_PORT = 0;
    private static final Duration POLL = Duration.ofMillis(100);

    private final InetAddress address;
    private final int offset;
    private final List<Use> uses = new ArrayList<>();

    private record Use(int port, String what, String variable) {

        @Override
        public String toString() {
            return port + " (" + what + ")";
        }
    }

    private PortCheck(SuiteSettings settings, InetAddress address) {
        this.address = address;
        this.offset = settings.portOffset;
        for (Service service : Service.values()) {
            uses.add(new Use(settings.portOf(service), service.moduleName(), service.portVariable()));
        }
        uses.add(new Use(settings.kvPort, "Couchbase SDKs", SuiteSettings.KV_PORT_VARIABLE));
        if (settings.tls) {
            uses.add(new Use(settings.kvTlsPort, "Couchbase SDKs with TLS", SuiteSettings.KV_TLS_PORT_VARIABLE));
        }
    }

    /**
     * Checks the ports of a suite that is to be started.
     *
     * @param patience how long to wait for ports that are in use
     * @throws LauncherException if some are in use, with ports that are free
     */
    static void of(SuiteSettings settings, Duration patience) {
        PortCheck check = new PortCheck(settings, address(settings));
        check.uses.stream().filter(use -> use.port() > HIGHEST_PORT).findFirst().ifPresent(use -> {
            throw new LauncherException("The port of " + use.what() + " is " + use.port()
                    + ", but ports end at 65535; choose a smaller --port-offset");
        });
        check.refuseOnePortForTwo();
        if (!check.isFree(ANY_PORT)) {
            throw new LauncherException("MILLRACE_BIND is not an address of this machine: " + settings.bind
                    + "; use for example 127.0.0.1, or 0.0.0.0 for all its addresses");
        }
        List<Use> taken = check.await(settings, patience);
        if (!taken.isEmpty()) {
            throw new LauncherException(check.refusal(taken));
        }
    }

    private void refuseOnePortForTwo() {
        for (Use use : uses) {
            uses.stream()
                    .filter(other -> other != use && other.port() == use.port() && use.port() != ANY_PORT)
                    .findFirst()
                    .ifPresent(other -> {
                        throw new LauncherException(
                                "The ports of " + use.what() + " and of " + other.what() + " are both "
                                        + use.port() + "; set " + use.variable() + " or " + other.variable()
                                        + " to another one");
                    });
        }
    }

    /** Returns the ports that are still in use when the time is over. */
    private List<Use> await(SuiteSettings settings, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        List<Use> taken = taken();
        if (!taken.isEmpty() && patience.isPositive()) {
            settings.say.accept("Waiting up to %d s for ports that an earlier start may have left in use ..."
                    .formatted(patience.toSeconds()));
        }
        while (!taken.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL.toNanos());
            taken = taken();
        }
        return taken;
    }

    private List<Use> taken() {
        return uses.stream().filter(use -> !isFree(use.port())).toList();
    }

    private static InetAddress address(SuiteSettings settings) {
        try {
            return InetAddress.getByName(settings.bind);
        } catch (UnknownHostException e) {
            throw new LauncherException(
                    "MILLRACE_BIND is not a valid address: " + settings.bind
                            + "; use an IP address or a host name of this machine",
                    e);
        }
    }

    private String refusal(List<Use> taken) {
        String these = taken.stream().map(Use::toString).collect(Collectors.joining(", "));
        List<String> ways = new ArrayList<>();
        IntStream.rangeClosed(1, OFFSETS_TRIED)
                .map(step -> step * OFFSET_STEP)
                .filter(this::isFreeWith)
                .findFirst()
                .ifPresent(more -> ways.add("./millrace up --port-offset " + (offset + more)));
        if (offset == 0) {
            ways.add(taken.stream()
                            .map(use -> use.variable() + "=" + freePortLike(use.port()))
                            .collect(Collectors.joining(" "))
                    + " ./millrace up");
        }
        String holders = taken.stream()
                .flatMap(use -> PortHolder.of(use.port()).stream())
                .distinct()
                .collect(Collectors.joining(", "));
        String holder = holders.isEmpty() ? "the program that uses them (another './millrace up'?)" : holders;
        return "Ports in use: " + these + ". Stop " + holder + ", or choose other ports:\n  "
                + String.join("\n  ", ways);
    }

    private boolean isFreeWith(int more) {
        return uses.stream().allMatch(use -> use.port() + more <= HIGHEST_PORT && isFree(use.port() + more));
    }

    /** Returns a port that is free now, the familiar number plus 10,000 if possible. */
    private int freePortLike(int port) {
        int similar = port + 10_000;
        return similar <= HIGHEST_PORT && isFree(similar) ? similar : Ports.free();
    }

    private boolean isFree(int port) {
        return Ports.isFree(address, port);
    }
}
