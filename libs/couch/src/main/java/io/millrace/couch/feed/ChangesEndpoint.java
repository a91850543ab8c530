package io.millrace.couch.feed;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchRequest;
import io.millrace.couch.CouchResponse;
import io.millrace.couch.FilterFunctions;
import io.millrace.couch.document.CouchDatabase;
import io.millrace.couch.document.QueryParameters;
import io.millrace.couch.document.RawObject;
import io.millrace.couch.document.Sequence;
import io.millrace.couch.document.StoreCalls;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.ReadRoom;
import java.util.LinkedHashMap;
import java.util.Map;

/** Answers {@code _changes} of a database: as a whole, or row by row as changes happen. */
public final class ChangesEndpoint implements AutoCloseable {

    private final DocumentStore store;
    private final FilterFunctions functions;
    private final ReadRoom room;
    private final ChangeWaiter waiter = new ChangeWaiter();

    public ChangesEndpoint(DocumentStore store, FilterFunctions functions, ReadRoom room) {
        this.room = room;
        this.store = store;
        this.functions = functions;
    }

    /** Answers a request for the changes of the database with this name. */
    public CouchResponse handle(String name, CouchRequest request) {
        CouchDatabase database = CouchDatabase.open(store, name);
        if (!request.is("GET") && !request.is("POST") && !request.is("HEAD")) {
            throw CouchException.methodNotAllowed("GET,HEAD,POST");
        }
        RawObject body = null;
        if (request.is("POST")) {
            request.requireJson();
            body = request.body().length == 0 ? RawObject.empty() : RawObject.parse(request.body());
        }
        QueryParameters query = new QueryParameters(request.query());
        ChangesRequest wanted = ChangesRequest.read(query, body, request.header("last-event-id"));
        Map<String, String> headers = new LinkedHashMap<>();
        switch (wanted.feed()) {
            case NORMAL -> {
                String etag =
                        '"' + Sequence.text(StoreCalls.of(database.changes().high())) + '"';
                headers.put("ETag", etag);
                if (request.reads() && request.knows(etag)) {
                    return new CouchResponse.Whole(304, headers, new byte[0]);
                }
                headers.put("Content-Type", "application/json");
                headers.put("Cache-Control", "must-revalidate");
            }
            case LONGPOLL, CONTINUOUS -> {
                headers.put("Content-Type", "application/json");
                headers.put("Cache-Control", "must-revalidate");
            }
            case EVENTSOURCE -> {
                headers.put("Content-Type", "text/event-stream");
                headers.put("Cache-Control", "no-cache");
            }
        }
        Filter filter = new Filters(database, functions, request.subject()).of(wanted);
        Changes changes = new Changes(database, wanted, filter, waiter, room);
        if (wanted.feed() == ChangesRequest.Feed.NORMAL) {
            begin(changes);
        }
        return new CouchResponse.Streamed(200, headers, changes);
    }

    private static void begin(Changes changes) {
        try {
            changes.begin();
        } catch (RuntimeException e) {
            changes.close();
            throw e;
        }
    }

    /** Ends all open feeds that wait for changes. */
    @Override
    public void close() {
        waiter.close();
    }
}
