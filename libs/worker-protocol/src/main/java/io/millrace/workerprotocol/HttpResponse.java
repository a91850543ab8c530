package io.millrace.workerprotocol;

import java.util.List;

/** What OnRequest has returned. The worker has checked that HTTP allows the status and the headers. */
public record HttpResponse(int status, List<Header> headers, HttpBody body) {

    /** In place of the response of an invocation that failed. */
    public static final HttpResponse NONE =
            new HttpResponse(0, List.of(), new HttpBody(HttpBody.Kind.NONE, new byte[0]));

    public HttpResponse {
        headers = List.copyOf(headers);
    }

    /** One line; a name may repeat. */
    public record Header(String name, String value) {}
}
