package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.SampleDefinitions;
import io.millrace.eventing.functions.FunctionState.Deployed;
import io.millrace.eventing.functions.FunctionState.Deploying;
import io.millrace.eventing.functions.FunctionState.Undeployed;
import io.millrace.eventing.versions.Version;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvEntry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The mirror of functions when several write at once. */
class FunctionStoreTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Version FIRST = new Version(1, Instant.EPOCH, "", "");
    private static final FunctionName F = FunctionName.of("f");

    private final MetakvClient metakv = MetakvClient.inMemory();
    private final Sinks.Many<MetakvEvent> replacement = Sinks.many().unicast().onBackpressureBuffer();
    private Runnable afterWrite = () -> {};
    private FunctionStore store;

    @BeforeEach
    void start() {
        MetakvClient slow = (MetakvClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {MetakvClient.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(metakv, arguments);
                    return switch (method.getName()) {
                        case "set" -> ((Mono<?>) answer).doOnNext(written -> once().run());
                        case "watch" -> Flux.merge((Flux<?>) answer, replacement.asFlux());
                        default -> answer;
                    };
                });
        store = new FunctionStore(slow, new RebalanceGuard(() -> false, new ConfigStore(metakv)));
        store.start();
        await().atMost(PATIENCE).until(store::ready);
        store.change(
                F,
                none -> new StoredFunction(
                        SampleDefinitions.definition("f"), new Undeployed(Instant.EPOCH, null), null, FIRST, null));
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private Runnable once() {
        Runnable now = afterWrite;
        afterWrite = () -> {};
        return now;
    }

    @Test
    void writeThatIsAnsweredLate_doesNotHideALaterOne() {
        Deploying first = new Deploying(Instant.EPOCH, null);
        Deployed second = new Deployed(Instant.EPOCH);
        afterWrite = () -> {
            await().atMost(PATIENCE).until(() -> state().equals(first));
            store.change(F, function -> Objects.requireNonNull(function).in(second));
        };

        store.change(F, function -> Objects.requireNonNull(function).in(first));

        assertThat(state()).isEqualTo(second);
    }

    @Test
    void writeThatIsAnsweredLate_doesNotBringBackADeletedFunction() {
        Deploying late = new Deploying(Instant.EPOCH, null);
        afterWrite = () -> {
            await().atMost(PATIENCE).until(() -> state().equals(late));
            metakv.delete(FunctionStore.DIRECTORY + F).block();
            await().atMost(PATIENCE).until(() -> store.find(F).isEmpty());
        };

        store.change(F, function -> Objects.requireNonNull(function).in(late));

        assertThat(store.find(F)).isEmpty();
    }

    @Test
    void functionOfAStoreThatWasReplacedForAWhile_isThereAgain() {
        MetakvEntry entry =
                Objects.requireNonNull(metakv.get(FunctionStore.DIRECTORY + F).block());

        replacement.tryEmitNext(new MetakvEvent.Deleted(entry.path()));
        await().atMost(PATIENCE).until(() -> store.find(F).isEmpty());
        replacement.tryEmitNext(new MetakvEvent.Changed(entry));

        await().atMost(PATIENCE).until(() -> store.find(F).isPresent());
    }

    @Test
    void functionsThatExist_areAnnouncedWhenAllAreKnown() {
        store.change(
                FunctionName.of("g"),
                none -> new StoredFunction(
                        SampleDefinitions.definition("g"), new Undeployed(Instant.EPOCH, null), null, FIRST, null));
        Queue<String> announced = new ConcurrentLinkedQueue<>();
        try (FunctionStore restarted =
                new FunctionStore(metakv, new RebalanceGuard(() -> false, new ConfigStore(metakv)))) {
            restarted.listen(name -> announced.add(name + (restarted.ready() ? "" : " too early")));

            restarted.start();

            await().atMost(PATIENCE).until(() -> announced.size() >= 2);
        }
        assertThat(announced).containsExactly("f", "g");
    }

    private FunctionState state() {
        return store.find(F).orElseThrow().state();
    }
}
