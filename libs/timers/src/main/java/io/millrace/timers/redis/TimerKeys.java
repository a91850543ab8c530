package io.millrace.timers.redis;

import static io.millrace.redis.Bytes.bytes;

import io.millrace.timers.TimerGroup;
import java.util.ArrayList;
import java.util.List;

/** The names of the keys of a function's timers, see {@code shared.lua}. Those of a shard share the bucket's hash tag. */
final class TimerKeys {

    private final TimerGroup group;

    TimerKeys(TimerGroup group) {
        this.group = group;
    }

    byte[] gate(int shard) {
        return bytes(prefix(shard) + "gate");
    }

    byte[] directory(int shard) {
        return bytes(prefix(shard) + "dir");
    }

    byte[] gateOf(int partition) {
        return gate(group.shardOf(partition));
    }

    byte[] directoryOf(int partition) {
        return directory(group.shardOf(partition));
    }

    byte[] due(int partition) {
        return bytes(prefix(group.shardOf(partition)) + partition + ":due");
    }

    byte[] records(int partition) {
        return bytes(prefix(group.shardOf(partition)) + partition + ":rec");
    }

    byte[] dead(int partition) {
        return bytes(prefix(group.shardOf(partition)) + partition + ":dead");
    }

    /** Returns the topic on which {@code shared.lua} rings for a shard. */
    static String topic(String metadataBucket, int shard) {
        return "timers:" + metadataBucket + '.' + shard;
    }

    /** Returns all keys of a shard, the gate first. */
    byte[][] all(int shard) {
        List<byte[]> keys = new ArrayList<>();
        keys.add(gate(shard));
        keys.add(directory(shard));
        for (int partition = 0; partition < group.partitions(); partition++) {
            if (group.shardOf(partition) == shard) {
                keys.add(due(partition));
                keys.add(records(partition));
                keys.add(dead(partition));
            }
        }
        return keys.toArray(byte[][]::new);
    }

    private String prefix(int shard) {
        return "mr:{" + group.metadataBucket() + '.' + shard + "}:tm:" + group.functionId() + ':';
    }
}
