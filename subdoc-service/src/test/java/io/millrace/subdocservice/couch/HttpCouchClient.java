package io.millrace.subdocservice.couch;

import io.millrace.couch.CouchClient;
import io.millrace.documents.DocumentStore;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Binds the contract kits of the CouchDB face to a real HTTP server. */
final class HttpCouchClient implements CouchClient {

    private final CouchKit kit;

    HttpCouchClient(DocumentStore store) {
        this.kit = new CouchKit(store);
    }

    @Override
    public Answer send(String method, String path, String body, String... headers) {
        CouchKit.Answer answer = kit.send(method, path, body, headers);
        Map<String, String> received = new TreeMap<>();
        answer.response()
                .headers()
                .map()
                .forEach((name, values) -> received.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
        return new Answer(answer.status(), answer.text(), received);
    }

    @Override
    public void close() {
        kit.close();
    }
}
