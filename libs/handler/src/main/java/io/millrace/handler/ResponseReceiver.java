package io.millrace.handler;

import io.millrace.handler.host.HostFailure;
import java.util.function.Consumer;

/** Gets what OnRequest returns: one response, or one in parts. The thread of the handler calls it. */
public interface ResponseReceiver {

    /** Returns a receiver of complete responses; code that gives one in parts fails. */
    static ResponseReceiver ofWhole(Consumer<WebResponse> responses) {
        return new ResponseReceiver() {
            @Override
            public void whole(WebResponse response) {
                responses.accept(response);
            }

            @Override
            public boolean begin(WebResponse first) throws HostFailure {
                throw HostFailure.eventingError("A response in parts is not possible here");
            }

            @Override
            public boolean part(byte[] bytes) {
                throw new IllegalStateException("No response has begun");
            }
        };
    }

    /** Takes a response that is complete. */
    void whole(WebResponse response);

    /**
     * Takes status, headers and the first part of a response whose body the code gives in parts.
     *
     * @return whether more of the body is wanted
     * @throws HostFailure when the response cannot be begun; the code fails with it
     */
    boolean begin(WebResponse first) throws HostFailure;

    /**
     * Takes the next part of the body; waits until there is room for it.
     *
     * @return whether more of the body is wanted
     * @throws HostFailure when the part cannot be sent; the code fails with it
     */
    boolean part(byte[] bytes) throws HostFailure;
}
