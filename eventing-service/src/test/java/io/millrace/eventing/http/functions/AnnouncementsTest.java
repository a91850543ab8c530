package io.millrace.eventing.http.functions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnnouncementsTest {

    private static final String SCRIPT = "{\"method\":\"Debugger.scriptParsed\",\"params\":{\"scriptId\":\"1\"}}";
    private static final String PAUSED = "{\"method\":\"Debugger.paused\",\"params\":{}}";
    private static final String ENABLE = "{\"id\":1,\"method\":\"Debugger.enable\"}";

    private final Announcements announcements = new Announcements();

    @Test
    void laterClient_hearsOfScriptsAndWhereTheCodeStands() {
        announcements.heard("{\"id\":1,\"result\":{}}");
        announcements.heard(SCRIPT);
        announcements.heard(PAUSED);

        assertThat(announcements.answering(ENABLE)).containsExactly(SCRIPT, PAUSED);
        assertThat(announcements.answering("{\"id\":2,\"method\":\"Runtime.enable\"}"))
                .isEmpty();

        announcements.heard("{\"method\":\"Debugger.resumed\",\"params\":{}}");
        assertThat(announcements.answering(ENABLE)).containsExactly(SCRIPT);
    }
}
