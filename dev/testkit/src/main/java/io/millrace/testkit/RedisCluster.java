package io.millrace.testkit;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.redis.RedisConsole;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Redis Cluster for a single test: masters that share the slots equally, and nodes that join later. {@link #close()} stops
 * it.
 */
public final class RedisCluster implements AutoCloseable {

    private static final int SLOTS = 16_384;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int KEYS_AT_ONCE = 10;
    private static final String MIGRATION_MILLIS = "10000";

    private final List<OwnRedis> masters = new ArrayList<>();
    private final List<OwnRedis> others = new ArrayList<>();

    private RedisCluster() {}

    /** Starts a cluster and waits until every master knows all others. */
    public static RedisCluster start(int masters) {
        RedisCluster cluster = new RedisCluster();
        try {
            for (int i = 0; i < masters; i++) {
                cluster.masters.add(startNode());
            }
            cluster.form();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static OwnRedis startNode() {
        return OwnRedis.startDurable(Map.of("cluster-enabled", "yes", "repl-diskless-sync-delay", "0"));
    }

    /** Returns the address of the cluster in the form of {@code REDIS_URL}. */
    public String url() {
        return masters.stream()
                .map(master -> "127.0.0.1:" + master.port())
                .collect(Collectors.joining(",", "redis-cluster://", ""));
    }

    public List<OwnRedis> masters() {
        return List.copyOf(masters);
    }

    /** Returns the slot of a key. */
    public int slot(String key) {
        return Integer.parseInt(call(masters.getFirst(), "CLUSTER", "KEYSLOT", key));
    }

    /** Returns how many keys a master has in a slot. */
    public int keys(OwnRedis master, int slot) {
        return Integer.parseInt(call(master, "CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)));
    }

    /** Returns the master that regards itself as the owner of a slot. */
    public OwnRedis owner(int slot) {
        return masters.stream()
                .filter(master -> owns(master, slot))
                .findFirst()
                .orElseThrow(() -> new LauncherException("No master owns slot " + slot));
    }

    /**
     * Moves a slot with its keys to another master while clients use it, as {@code redis-cli --cluster reshard} does.
     *
     * @param pause the pause between batches of keys, during which both masters have some of the keys
     */
    public void move(int slot, OwnRedis to, Duration pause) {
        OwnRedis from = owner(slot);
        String number = Integer.toString(slot);
        call(to, "CLUSTER", "SETSLOT", number, "IMPORTING", id(from));
        call(from, "CLUSTER", "SETSLOT", number, "MIGRATING", id(to));
        for (String keys = some(from, number); !keys.isEmpty(); keys = some(from, number)) {
            List<String> command = new ArrayList<>(
                    List.of("MIGRATE", "127.0.0.1", Integer.toString(to.port()), "", "0", MIGRATION_MILLIS, "KEYS"));
            command.addAll(List.of(keys.split("\n")));
            call(from, command.toArray(String[]::new));
            LockSupport.parkNanos(pause.toNanos());
        }
        call(to, "CLUSTER", "SETSLOT", number, "NODE", id(to));
        masters.stream()
                .filter(master -> master != to)
                .forEach(master -> call(master, "CLUSTER", "SETSLOT", number, "NODE", id(to)));
    }

    private static String some(OwnRedis master, String slot) {
        return call(master, "CLUSTER", "GETKEYSINSLOT", slot, Integer.toString(KEYS_AT_ONCE));
    }

    /** Starts an empty master without slots and waits until all nodes know each other. */
    public OwnRedis join() {
        OwnRedis joined = startNode();
        masters.add(joined);
        meet(joined);
        return joined;
    }

    /** Starts a replica of a master and waits until it follows the master. */
    public OwnRedis addReplica(OwnRedis master) {
        OwnRedis replica = startNode();
        others.add(replica);
        meet(replica);
        call(replica, "CLUSTER", "REPLICATE", id(master));
        await(
                "The replica does not follow",
                () -> call(replica, "INFO", "replication").contains("master_link_status:up"));
        return replica;
    }

    /** Waits until a replica has all writes of its master. */
    public void awaitInStep(OwnRedis master, OwnRedis replica) {
        await(
                "The replica is behind",
                () -> offset(replica, "slave_repl_offset:").equals(offset(master, "master_repl_offset:")));
    }

    private static String offset(OwnRedis node, String field) {
        return call(node, "INFO", "replication")
                .lines()
                .filter(line -> line.startsWith(field))
                .map(line -> line.substring(field.length()))
                .findFirst()
                .orElse("none of " + field);
    }

    /** Kills a master, lets its replica take over the slots, and waits until the other nodes know. */
    public void failOver(OwnRedis master, OwnRedis replica) {
        String id = id(replica);
        master.kill9();
        masters.remove(master);
        others.add(master);
        others.remove(replica);
        masters.add(replica);
        call(replica, "CLUSTER", "FAILOVER", "TAKEOVER");
        await(
                "The replica does not take over",
                () -> masters.stream()
                        .allMatch(each -> Arrays.stream(
                                        call(each, "CLUSTER", "NODES").split("\n"))
                                .anyMatch(
                                        line -> line.startsWith(id) && line.contains("master") && line.contains("-"))));
    }

    private void meet(OwnRedis node) {
        call(
                node,
                "CLUSTER",
                "MEET",
                "127.0.0.1",
                Integer.toString(masters.getFirst().port()));
        String all = "cluster_known_nodes:" + (masters.size() + others.size()) + "\r";
        await(
                "The nodes do not know each other",
                () -> Stream.concat(masters.stream(), others.stream()).allMatch(each -> knows(each, all)));
    }

    private static boolean knows(OwnRedis node, String all) {
        String info = call(node, "CLUSTER", "INFO");
        return info.contains(all)
                && info.contains("cluster_state:ok")
                && !call(node, "CLUSTER", "NODES").contains("handshake");
    }

    private void await(String otherwise, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new LauncherException(otherwise + ": " + call(masters.getFirst(), "CLUSTER", "NODES"));
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    @Override
    public void close() {
        masters.forEach(OwnRedis::close);
        others.forEach(OwnRedis::close);
    }

    private void form() {
        for (int i = 0; i < masters.size(); i++) {
            OwnRedis master = masters.get(i);
            int first = SLOTS * i / masters.size();
            int last = SLOTS * (i + 1) / masters.size() - 1;
            call(master, "CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            call(master, "CLUSTER", "ADDSLOTSRANGE", Integer.toString(first), Integer.toString(last));
            if (i > 0) {
                call(
                        master,
                        "CLUSTER",
                        "MEET",
                        "127.0.0.1",
                        Integer.toString(masters.getFirst().port()));
            }
        }
        await("The masters did not form a cluster", () -> masters.stream().allMatch(this::knowsAll));
    }

    private boolean knowsAll(OwnRedis master) {
        String info = call(master, "CLUSTER", "INFO");
        return info.contains("cluster_state:ok") && info.contains("cluster_size:" + masters.size() + "\r");
    }

    private static boolean owns(OwnRedis master, int slot) {
        String self = Arrays.stream(call(master, "CLUSTER", "NODES").split("\n"))
                .filter(line -> line.contains("myself"))
                .findFirst()
                .orElseThrow();
        return Arrays.stream(self.split(" "))
                .skip(8)
                .filter(range -> !range.startsWith("["))
                .map(range -> range.split("-"))
                .anyMatch(range ->
                        Integer.parseInt(range[0]) <= slot && slot <= Integer.parseInt(range[range.length - 1]));
    }

    private static String id(OwnRedis master) {
        return call(master, "CLUSTER", "MYID");
    }

    private static String call(OwnRedis master, String... command) {
        RedisConsole console = master.console();
        try {
            return console.call(command);
        } catch (IOException e) {
            throw new LauncherException(String.join(" ", command) + " at " + master.url() + ": " + e.getMessage(), e);
        }
    }
}
