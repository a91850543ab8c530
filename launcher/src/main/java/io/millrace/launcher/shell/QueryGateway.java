package io.millrace.launcher.shell;

import java.io.IOException;
import java.io.InputStream;

/** Sends the requests of the shell to a running suite, with the credentials of its user. */
public interface QueryGateway {

    /** A response. The reader of the body closes it. */
    record Reply(int status, InputStream body) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    /**
     * Sends a request and returns when the response begins. An interrupt of the calling thread ends the request.
     *
     * @param path begins with a slash
     * @param json the body; empty for none
     * @throws io.millrace.launcher.LauncherException if the suite cannot be reached
     */
    Reply send(String method, String path, String json);
}
