package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Event;

/** The name of a document, unique in its bucket; of an event of a stream, one that no other event has. */
public record DocumentName(String scope, String collection, String id) {

    /** Returns the document of a change; for a timer, its callback, context and reference, which are unique as well. */
    public static DocumentName of(Event event) {
        if (event.kind() == Event.Kind.APPENDED) {
            return ofEvent(event.scope(), event.collection(), event.id(), event.cas());
        }
        return new DocumentName(event.scope(), event.collection(), event.id());
    }

    /** Returns the name of an event of a stream: a later event never takes the place of an earlier one. */
    public static DocumentName ofEvent(String scope, String collection, String stream, long index) {
        return new DocumentName(scope, collection, stream + '/' + index);
    }

    /** Returns the name as an unambiguous text, without the default collection. */
    public String text() {
        boolean standard = scope.equals("_default") && collection.equals("_default");
        return (standard ? "" : scope + '.' + collection) + '/' + id;
    }
}
