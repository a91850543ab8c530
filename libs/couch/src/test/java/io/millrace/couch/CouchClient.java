package io.millrace.couch;

import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests to the CouchDB face that a contract kit tests, over the network or in process. */
public interface CouchClient extends AutoCloseable {

    JsonMapper JSON = JsonMapper.shared();

    /** @param headers by lower-case name */
    record Answer(int status, String text, Map<String, String> headers) {

        public JsonNode json() {
            return JSON.readTree(text);
        }

        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    /**
     * Sends a request and reads the answer to its end.
     *
     * @param path after the root of the server, encoded as in a URL, with its query
     * @param body JSON unless a header says otherwise, or null
     * @param headers names and values in turn
     */
    Answer send(String method, String path, String body, String... headers);

    /** Creates a database with a new name and returns the name. */
    default String newDatabase() {
        String name = "db-" + UUID.randomUUID();
        Answer made = send("PUT", name, null);
        if (made.status() != 201) {
            throw new AssertionError(made);
        }
        return name;
    }

    @Override
    void close();
}
