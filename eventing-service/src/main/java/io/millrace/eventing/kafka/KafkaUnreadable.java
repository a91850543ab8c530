package io.millrace.eventing.kafka;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;

/** A topic cannot be read now. The message says why without what is in the settings of the cluster. */
public final class KafkaUnreadable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private KafkaUnreadable(String message, Throwable cause) {
        super(message, cause);
    }

    private KafkaUnreadable(String message) {
        super(message);
    }

    static KafkaUnreadable file(String cluster, String file, Exception cause) {
        return new KafkaUnreadable(
                "The settings of the Kafka cluster '%s' cannot be read from %s on this node (%s). Put the same file on each eventing node."
                        .formatted(cluster, file, cause.getClass().getSimpleName()),
                cause);
    }

    /** A wrong setting is shown by Kafka without secrets; other reasons may quote files and accounts. */
    static KafkaUnreadable settings(String cluster, KafkaException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String wrong = failure instanceof ConfigException || cause instanceof ConfigException
                ? String.valueOf(failure instanceof ConfigException ? failure.getMessage() : cause.getMessage())
                : cause.getClass().getSimpleName();
        return new KafkaUnreadable(
                "The Kafka cluster '%s' cannot be used with the settings in %s.properties: %s"
                        .formatted(cluster, cluster, wrong),
                failure);
    }

    static KafkaUnreadable missing(String cluster, String topic) {
        return new KafkaUnreadable(
                "The Kafka cluster '%s' does not answer, or has no topic '%s'. Check its brokers, and make the topic."
                        .formatted(cluster, topic));
    }

    static KafkaUnreadable of(String cluster, String topic, KafkaException failure) {
        String why = switch (failure) {
            case AuthenticationException account ->
                "refused the account in %s.properties (%s)".formatted(cluster, failure.getMessage());
            case AuthorizationException right ->
                "does not allow reading '%s' to the account in %s.properties (%s)"
                        .formatted(topic, cluster, failure.getMessage());
            case TimeoutException late ->
                "did not answer in time about '%s' (%s). Check its brokers".formatted(topic, failure.getMessage());
            default -> "does not give the messages of '%s' (%s)".formatted(topic, failure.getMessage());
        };
        return new KafkaUnreadable("The Kafka cluster '%s' %s.".formatted(cluster, why), failure);
    }
}
