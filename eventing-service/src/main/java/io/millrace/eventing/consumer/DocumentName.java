package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Event;

/** What tells a document from the others of its bucket. */
public record DocumentName(String scope, String collection, String id) {

    /** Returns the document that has changed; of a timer, what tells it from the others. */
    public static DocumentName of(Event event) {
        return new DocumentName(event.scope(), event.collection(), event.id());
    }

    /** Returns the name in one text, which leaves out the default collection; no other name has the same. */
    public String text() {
        boolean standard = scope.equals("_default") && collection.equals("_default");
        return (standard ? "" : scope + '.' + collection) + '/' + id;
    }
}
