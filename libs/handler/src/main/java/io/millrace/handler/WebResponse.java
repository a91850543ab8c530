package io.millrace.handler;

import java.util.List;

/** What OnRequest has returned. HTTP allows the status and the headers, and the code may set them. */
public record WebResponse(int status, List<Header> headers, WebBody body) {

    public WebResponse {
        headers = List.copyOf(headers);
    }

    /** One line; a name may repeat. */
    public record Header(String name, String value) {}
}
