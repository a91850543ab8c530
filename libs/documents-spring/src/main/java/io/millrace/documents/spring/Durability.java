package io.millrace.documents.spring;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * What a crash of Redis could lose, read from its settings.
 *
 * @param appendOnly whether it keeps an append-only file
 * @param sync when that file is forced to disk: {@code always}, {@code everysec} or {@code no}
 * @param evictionPolicy {@code maxmemory-policy}; any but {@code noeviction} may drop documents
 * @param replicas how many replicas are connected
 */
public record Durability(boolean appendOnly, String sync, String evictionPolicy, int replicas) {

    /** Reads the settings. A Redis that hides its settings, as hosted ones do, leaves them unknown. */
    public static CompletionStage<Durability> read(RedisClusterAsyncCommands<byte[], byte[]> commands) {
        CompletionStage<Map<String, String>> settings = commands.configGet(
                        "appendonly", "appendfsync", "maxmemory-policy")
                .exceptionally(hidden -> Map.of());
        return commands.info("replication").thenCombine(settings, (info, known) -> of(known, replicas(info)));
    }

    private static int replicas(String info) {
        return info.lines()
                .filter(line -> line.startsWith("connected_slaves:"))
                .mapToInt(line -> Integer.parseInt(
                        line.substring("connected_slaves:".length()).strip()))
                .findFirst()
                .orElse(0);
    }

    static Durability of(Map<String, String> settings, int replicas) {
        return new Durability(
                "yes".equals(settings.get("appendonly")),
                settings.getOrDefault("appendfsync", "unknown"),
                settings.getOrDefault("maxmemory-policy", "unknown"),
                replicas);
    }

    /** Says in a sentence what a crash loses. */
    String loss() {
        if (!evictionPolicy.equals("noeviction") && !evictionPolicy.equals("unknown")) {
            return "Redis may evict documents when its memory is full: set maxmemory-policy noeviction";
        }
        if (sync.equals("unknown")) {
            return "Redis does not disclose its settings: what a crash loses is unknown";
        }
        if (!appendOnly) {
            return "a crash of Redis loses everything since its last snapshot: set appendonly yes";
        }
        return switch (sync) {
            case "always" -> "a crash loses nothing that was acknowledged";
            case "everysec" -> "a crash of the machine loses up to a second of writes, a crash of Redis alone nothing";
            default ->
                "a crash of the machine loses what the system had not written yet, a crash of Redis alone nothing";
        };
    }
}
