package io.millrace.worker.kafka;

import io.millrace.documents.DocumentsException;
import io.millrace.worker.WorkerLimits;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApplicationRecoverableException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** One cluster, with a producer that is made when the first message is sent, and again after a failure that ends it. */
final class Cluster {

    private final String name;
    private final KafkaPublisher.Settings settings;
    private final Executor threads;

    // guarded by this
    private @Nullable Producer<byte[], byte[]> producer;
    private @Nullable DocumentsException refused;
    private long refusedUntilNanos;
    private boolean closed;

    Cluster(String name, KafkaPublisher.Settings settings, Executor threads) {
        this.name = name;
        this.settings = settings;
        this.threads = threads;
    }

    String name() {
        return name;
    }

    /** @throws DocumentsException if there is none and none can be made now */
    synchronized Producer<byte[], byte[]> producer() {
        if (closed) {
            throw DocumentsException.of(DocumentsException.Code.REFUSED, "The function is being stopped");
        }
        Producer<byte[], byte[]> known = producer;
        if (known != null) {
            return known;
        }
        DocumentsException before = refused;
        if (before != null && System.nanoTime() - refusedUntilNanos < 0) {
            throw before;
        }
        try {
            Producer<byte[], byte[]> made = new KafkaProducer<>(
                    ClusterFile.producer(name, settings), new ByteArraySerializer(), new ByteArraySerializer());
            producer = made;
            return made;
        } catch (KafkaException e) {
            throw refuse(DocumentsException.of(
                    DocumentsException.Code.REFUSED,
                    "The Kafka cluster '%s' cannot be used with the settings in %s.properties: %s"
                            .formatted(name, name, wrong(e)),
                    e));
        } catch (DocumentsException e) {
            throw refuse(e);
        }
    }

    /** A wrong setting is shown by Kafka without secrets; other reasons may quote files and accounts. */
    private static String wrong(KafkaException failure) {
        if (failure instanceof ConfigException setting) {
            return String.valueOf(setting.getMessage());
        }
        Throwable cause = failure.getCause();
        return cause instanceof ConfigException setting
                ? String.valueOf(setting.getMessage())
                : (cause == null ? failure : cause).getClass().getSimpleName();
    }

    /** Remembers a failure for a while, so that not every message tries in vain. */
    private DocumentsException refuse(DocumentsException failure) {
        refused = failure;
        refusedUntilNanos = System.nanoTime() + WorkerLimits.KAFKA_REFUSED_PAUSE.toNanos();
        return failure;
    }

    /** Takes note of a failure of a producer: one that would fail for ever is given up. */
    void failed(Producer<byte[], byte[]> by, Throwable why, DocumentsException described) {
        boolean ended = why instanceof AuthenticationException
                || why instanceof ClusterAuthorizationException
                || why instanceof UnsupportedVersionException
                || why instanceof ApplicationRecoverableException;
        if (ended && forget(by, described)) {
            threads.execute(() -> by.close(Duration.ZERO)); // its own thread, which calls back, cannot
        }
    }

    private synchronized boolean forget(Producer<byte[], byte[]> by, DocumentsException why) {
        if (producer != by || closed) {
            return false;
        }
        producer = null;
        refuse(why);
        return true;
    }

    void close() {
        Producer<byte[], byte[]> last;
        synchronized (this) {
            closed = true;
            last = producer;
            producer = null;
        }
        if (last != null) {
            last.close(Duration.ZERO);
        }
    }
}
