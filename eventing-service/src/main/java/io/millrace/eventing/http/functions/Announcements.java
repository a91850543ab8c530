package io.millrace.eventing.http.functions;

import java.util.ArrayList;
import java.util.List;

/**
 * What the debugger has said that a client has to hear which connects when others have been connected: the debugger says it
 * once. See {@code Debugger.enable} in the DevTools protocol: scripts, and where the code stands.
 */
final class Announcements {

    private static final String ENABLE = "\"Debugger.enable\"";
    private static final String SCRIPT = "\"Debugger.scriptParsed\"";
    private static final String PAUSED = "\"Debugger.paused\"";
    private static final String RESUMED = "\"Debugger.resumed\"";

    private final List<String> scripts = new ArrayList<>();
    private String pause = "";

    /** Takes note of a message of the debugger. */
    synchronized void heard(String message) {
        if (message.contains(SCRIPT)) {
            scripts.add(message);
        } else if (message.contains(PAUSED)) {
            pause = message;
        } else if (message.contains(RESUMED)) {
            pause = "";
        }
    }

    /** Returns the messages that a later client gets because of one of its requests. */
    synchronized List<String> answering(String request) {
        if (!request.contains(ENABLE)) {
            return List.of();
        }
        List<String> all = new ArrayList<>(scripts);
        if (!pause.isEmpty()) {
            all.add(pause);
        }
        return all;
    }
}
