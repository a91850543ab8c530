package io.millrace.worker;

import io.millrace.handler.EventMeta;
import io.millrace.handler.Handler;
import io.millrace.handler.HandlerThread;
import io.millrace.handler.InvocationResult;
import io.millrace.handler.host.HandlerHost;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import java.time.Duration;

/** A compiled handler, called with the events of one bucket. */
record HandlerCode(Handler handler, String bucket) implements Code {

    @Override
    public Loaded open(HandlerHost host) {
        HandlerThread thread = handler.open(host);
        return new Loaded() {
            @Override
            public InvocationResult handle(Event event) {
                return switch (event.kind()) {
                    case MUTATION -> thread.onUpdate(meta(event), event.body(), event.userXattrs(), event.old());
                    case DELETION -> thread.onDelete(meta(event), false, event.old());
                    case EXPIRATION -> thread.onDelete(meta(event), true, event.old());
                    case TIMER ->
                        thread.onTimer(event.scope(), event.binary() ? null : event.body(), event.collection());
                };
            }

            @Override
            public InvocationResult deploy(Frame.Deploy deploy) {
                return thread.onDeploy(
                        deploy.reason(),
                        Duration.ofMillis(deploy.delayMillis()),
                        Duration.ofMillis(deploy.timeoutMillis()));
            }

            @Override
            public void close() {
                thread.close();
            }
        };
    }

    private EventMeta meta(Event event) {
        return new EventMeta(
                bucket,
                event.scope(),
                event.collection(),
                event.id(),
                event.cas(),
                event.vbucket(),
                event.seqno(),
                event.flags(),
                event.expiration(),
                event.binary());
    }
}
