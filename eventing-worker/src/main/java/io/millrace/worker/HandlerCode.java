package io.millrace.worker;

import io.millrace.handler.EventMeta;
import io.millrace.handler.Handler;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.HandlerThread;
import io.millrace.handler.InvocationResult;
import io.millrace.handler.Library;
import io.millrace.handler.ResponseReceiver;
import io.millrace.handler.WebBody;
import io.millrace.handler.WebResponse;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HostFailure;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A compiled handler, called with the events of one bucket. */
public record HandlerCode(Handler handler, String bucket) implements Code {

    /** As the scope or collection of an alias: all of them. */
    public static final String WILDCARD = "*";

    /** Returns how the code of a function behaves. */
    public static HandlerSpec spec(WorkerSetup setup) {
        LanguageCompatibility language = LanguageCompatibility.of(setup.source().languageCompatibility())
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no language compatibility " + setup.source().languageCompatibility()));
        HandlerSpec spec = new HandlerSpec(
                setup.function(),
                setup.source().code(),
                setup.source().headers(),
                setup.source().footers(),
                Duration.ofMillis(setup.limits().executionTimeoutMillis()),
                setup.limits().allocationLimitBytes(),
                setup.source().strictDocuments(),
                language,
                setup.aliases().stream().map(HandlerCode::alias).toList(),
                setup.handler().constants().stream()
                        .map(constant -> new HandlerSpec.Constant(constant.name(), constant.literal()))
                        .toList(),
                setup.handler().urls().stream().map(HandlerSettings.Url::name).toList(),
                setup.handler().databases().stream()
                        .map(HandlerSettings.Database::name)
                        .toList(),
                setup.source().typescript());
        return spec.withLibraries(setup.source().libraries().stream()
                        .map(library -> new Library(library.id(), library.code()))
                        .toList())
                .withTopics(setup.handler().topics().stream()
                        .map(HandlerSettings.Topic::name)
                        .toList());
    }

    private static HandlerSpec.Alias alias(WorkerSetup.Alias alias) {
        if (alias.scope().equals(WILDCARD) || alias.collection().equals(WILDCARD)) {
            return new HandlerSpec.Alias(alias.name(), HandlerSpec.Access.WILDCARD);
        }
        return new HandlerSpec.Alias(
                alias.name(), alias.writable() ? HandlerSpec.Access.READ_WRITE : HandlerSpec.Access.READ);
    }

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
                    case APPENDED ->
                        thread.onEvent(event.body(), event.binary(), Objects.requireNonNull(event.userXattrs()));
                };
            }

            @Override
            public List<String> statements() {
                return handler.statements();
            }

            @Override
            public InvocationResult deploy(Frame.Deploy deploy) {
                return thread.onDeploy(
                        deploy.reason(),
                        Duration.ofMillis(deploy.delayMillis()),
                        Duration.ofMillis(deploy.timeoutMillis()));
            }

            @Override
            public InvocationResult request(HttpRequest request, Duration timeout, Answer answer) {
                return thread.onRequest(request.head(), read(request.body()), timeout, receiver(answer));
            }

            @Override
            public void interrupt() {
                thread.interrupt(WorkerLimits.INTERRUPT_PATIENCE);
            }

            @Override
            public void close() {
                thread.close();
            }
        };
    }

    private static WebBody read(HttpBody body) {
        return new WebBody(WebBody.Kind.valueOf(body.kind().name()), body.bytes());
    }

    private static ResponseReceiver receiver(Answer to) {
        return new ResponseReceiver() {
            @Override
            public void whole(WebResponse response) {
                to.whole(written(response));
            }

            @Override
            public boolean begin(WebResponse first) throws HostFailure {
                return to.begin(written(first));
            }

            @Override
            public boolean part(byte[] bytes) throws HostFailure {
                return to.part(bytes);
            }
        };
    }

    private static HttpResponse written(WebResponse returned) {
        HttpBody.Kind kind = HttpBody.Kind.valueOf(returned.body().kind().name());
        return new HttpResponse(
                returned.status(),
                returned.headers().stream()
                        .map(header -> new HttpResponse.Header(header.name(), header.value()))
                        .toList(),
                new HttpBody(kind, returned.body().bytes()));
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
