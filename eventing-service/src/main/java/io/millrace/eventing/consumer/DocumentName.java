package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Event;

/** The name of a document, unique in its bucket. */
public record DocumentName(String scope, String collection, String id) {

    /** Returns the document of a change; for a timer, its callback, context and reference, which are unique as well. */
    public static DocumentName of(Event event) {
        return new DocumentName(event.scope(), event.collection(), event.id());
    }

    /** Returns the name as an unambiguous text, without the default collection. */
    public String text() {
        boolean standard = scope.equals("_default") && collection.equals("_default");
        return (standard ? "" : scope + '.' + collection) + '/' + id;
    }
}
