package io.millrace.launcher.command;

import io.millrace.launcher.LauncherException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The commands for work on Millrace itself. The script runs them; they are declared here for help and completion. */
final class DeveloperCommands {

    @Command(name = "test", description = "runs every check and every test")
    private static final class Test extends InTheScript {}

    @Command(name = "docs", description = "updates the pages of docs/reference that are made from the code")
    private static final class Docs extends InTheScript {}

    @Command(name = "images", description = "builds the container images with Docker; --push also pushes them")
    private static final class Images extends InTheScript {}

    @Command(
            name = "dist",
            description = {
                "packs everything into one archive for this platform",
                "The archive contains the programs, Redis and Java, so it needs no JDK, no build and no network. It is"
                        + " in ./dist, with its SHA-256 and its bill of materials (CycloneDX). --try unpacks it elsewhere,"
                        + " runs the demo in it with almost nothing on the PATH, and says how long that took."
            })
    private static final class Dist extends InTheScript {}

    @Command(
            name = "bench",
            description = {
                "runs a benchmark",
                "  eventing (the default)      latency and throughput of functions",
                "  subdoc                      sub-document operations",
                "  kv [short] [--jfr FILE]     the binary protocol, and checks of permissions",
                "  http [short] [--jfr FILE]   documents over HTTP, next to bare servers",
                "  ways [short] [PART...]      requests, streams, kafka, filter, live, tabs",
                "  transactions [CLIENTS [COUNT]]  transactions of the SDK, with clients that are killed",
                "  logins [short]              100,000 wrong passwords a minute, and what they cost other users",
                "  timers [short]              about ten minutes; short: about one",
                "  query [heap [DOCUMENTS]]    N1QL statements, compared with SQLite and DuckDB;",
                "                              heap: those that hold most, in a heap of 384 MiB",
                "  changes [short]             cost of writes, streams and the changes feed",
                "  handlers [short] [WORKLOAD...]  invocations in a worker, without Redis",
                "  rebalance [RATE] [SCENARIO...]  nodes that join, leave and crash under load",
                "  scale [short|large]         cost of a mutation by documents, functions and sizes",
                "  scaleout [short]            one to three eventing nodes with a CPU-bound handler",
                "  rebalance-simulation [SEEDS [FIRST]]",
                "  lives [SEED [COUNT]]        functions that live at random while processes are killed, 1000 times",
                "  start                       time and memory of ./millrace up, five times",
                "  cycles [COUNT [SEED]]       interrupts starts and suites at random moments, 50 times",
                "  faults [SECONDS [SEED [WORD...]]]  kills, stops, fills and cuts off each process under load",
                "  restarts [COUNT [DOCUMENTS]]  restarts Redis under load, 200 times with 1,000,000 documents",
                "  storm [SECONDS]             too many clients of all kinds at once, and a well-behaved one",
                "  traces                      what following changes costs",
                "  malformed [SEED [COUNT]]    malformed requests and frames to every interface",
                "  fuzz [MINUTES]              sends malformed frames to the binary protocol"
            })
    private static final class Bench extends InTheScript {}

    private abstract static class InTheScript implements Runnable {

        @Override
        public void run() {
            throw new LauncherException("This command is run by the script ./millrace of the source tree");
        }
    }

    private DeveloperCommands() {}

    static List<CommandSpec> all() {
        return List.of(
                CommandSpec.forAnnotatedObject(new Test()),
                CommandSpec.forAnnotatedObject(new Docs()),
                CommandSpec.forAnnotatedObject(new Bench()),
                CommandSpec.forAnnotatedObject(new Images()),
                CommandSpec.forAnnotatedObject(new Dist()));
    }
}
