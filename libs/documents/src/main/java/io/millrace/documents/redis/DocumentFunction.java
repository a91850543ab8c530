package io.millrace.documents.redis;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.redis.FunctionLibrary;

/** The Redis functions of documents, each a file of Lua of the same name in lower case. */
enum DocumentFunction {
    WRITE,
    LOCK,
    UNLOCK,
    EXPIRE,
    ARM,
    NEWEST,
    TIME,
    OPEN,
    CLOSE,
    SWAP,
    INDEX,
    SCAN,
    ADOPT,
    MERGE,
    FENCE,
    EXPECT,
    ARRIVE,
    SETTLE;

    static final String LIBRARY_PREFIX = "millrace";

    static final FunctionLibrary<DocumentFunction> LIBRARY =
            FunctionLibrary.of(LIBRARY_PREFIX, DocumentFunction.class, shared());

    /** Returns what the operations share, also those of {@link ExtensionFunctions}. */
    static String shared() {
        return FunctionLibrary.read(DocumentFunction.class, "shared");
    }

    RedisFuture<byte[]> call(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[]... args) {
        return LIBRARY.value(redis, this, keys, args);
    }

    RedisFuture<byte[]> call(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[] key, byte[]... args) {
        return LIBRARY.value(redis, this, new byte[][] {key}, args);
    }
}
