package io.millrace.worker.messages;

import io.millrace.documents.DocumentsException;

/** A failure that the code which sends messages does not foresee. It costs the message that met it, and none behind that one. */
public final class MessageDefect {

    private MessageDefect() {}

    /** Writes a failure with its trace to the log of the process, and returns why the message was not sent. */
    public static DocumentsException report(Message message, Throwable failure) {
        System.err.printf(
                "event=message_defect id=%s failure=%s%n",
                message.id(), failure.getClass().getName());
        failure.printStackTrace();
        return DocumentsException.of(
                DocumentsException.Code.REFUSED,
                "It could not be sent because of a defect of Millrace: %s. Report it with its trace in the log of eventing-service"
                        .formatted(failure),
                failure);
    }
}
