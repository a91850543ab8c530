package io.millrace.worker.messages;

import static io.millrace.redis.Bytes.bytes;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.DocumentsException;
import io.millrace.redis.FunctionLibrary;
import io.millrace.redis.RedisFailure;
import io.millrace.redis.RedisLink;
import io.millrace.workerprotocol.TopicFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Messages in Redis 7 or newer, or Valkey; also on a cluster. */
public final class RedisMessageStore implements MessageStore {

    /** The Redis functions, each a file of Lua of the same name in lower case. */
    private enum Operation {
        APPEND
    }

    private static final FunctionLibrary<Operation> LIBRARY = FunctionLibrary.of("millrace_messages", Operation.class);

    private final RedisLink link;

    /** @param redis asked at the first call, and again when it failed; the commands are kept */
    public RedisMessageStore(
            Supplier<? extends CompletionStage<? extends RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
        link = new RedisLink(redis, LIBRARY);
    }

    @Override
    public CompletableFuture<Void> append(String stream, long longest, List<Message> messages) {
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(bytes(longest));
        messages.forEach(message -> {
            List<byte[]> texts = texts(message);
            arguments.add(bytes(texts.size()));
            arguments.addAll(texts);
        });
        byte[][] keys = {bytes(TopicFormat.place(stream))};
        return link.call(redis -> LIBRARY.number(redis, Operation.APPEND, keys, arguments.toArray(new byte[0][])))
                .handle(RedisMessageStore::answer);
    }

    private static List<byte[]> texts(Message message) {
        List<byte[]> texts = new ArrayList<>();
        field(texts, TopicFormat.ID, bytes(message.id()));
        if (message.key() != null) {
            field(texts, TopicFormat.KEY, bytes(message.key()));
        }
        field(texts, TopicFormat.CONTENT_TYPE, bytes(message.contentType()));
        message.headers().forEach((name, value) -> field(texts, TopicFormat.HEADER + name, bytes(value)));
        field(texts, TopicFormat.DATA, message.content());
        return texts;
    }

    private static void field(List<byte[]> texts, String name, byte[] value) {
        texts.add(bytes(name));
        texts.add(value);
    }

    @Override
    public CompletableFuture<Void> publish(String channel, byte[] content) {
        return link.call(redis -> redis.publish(bytes(TopicFormat.place(channel)), content))
                .handle(RedisMessageStore::answer);
    }

    private static Void answer(Long number, Throwable failure) {
        if (failure == null) {
            return null;
        }
        throw DocumentsException.of(RedisFailure.of(failure));
    }
}
