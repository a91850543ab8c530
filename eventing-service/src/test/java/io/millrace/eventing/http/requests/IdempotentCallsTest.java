package io.millrace.eventing.http.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.consumer.RequestResult.Answered;
import io.millrace.eventing.consumer.StreamedResponse;
import io.millrace.eventing.http.requests.IdempotentCalls.Answer;
import io.millrace.eventing.idempotency.AnswerStore;
import io.millrace.problemdetails.ProblemException;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Outcome;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a repeated key gets; two objects on one store are two nodes. */
class IdempotentCallsTest {

    private static final Optional<IdempotencyKey> KEY = Optional.of(new IdempotencyKey("f", "k", new byte[] {1}));
    private static final Optional<IdempotencyKey> OTHER_BODY =
            Optional.of(new IdempotencyKey("f", "k", new byte[] {2}));

    private Instant now = Instant.parse("2026-11-23T12:00:00Z");
    private final InstantSource clock = () -> now;
    private final AnswerStore store = AnswerStore.inMemory(clock);
    private final IdempotentCalls node = new IdempotentCalls(store, clock);
    private final IdempotentCalls otherNode = new IdempotentCalls(store, clock);
    private int calls;

    private Answer once(IdempotentCalls on, Optional<IdempotencyKey> key, RequestResult result) {
        return on.once(key, () -> {
                    calls++;
                    return CompletableFuture.completedFuture(result);
                })
                .join();
    }

    private static Answered answered(int length) {
        HttpBody body = new HttpBody(HttpBody.Kind.TEXT, new byte[length]);
        return new Answered(
                Outcome.success(7), new HttpResponse(201, List.of(new HttpResponse.Header("X-Total", "é")), body));
    }

    private void assertRefused(Optional<IdempotencyKey> key, String code) {
        assertThatThrownBy(() -> once(otherNode, key, new RequestResult.NoWorker()))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem().code()).isEqualTo(code));
    }

    @Test
    void sameRequest_getsTheFirstAnswer_onAnyNode() {
        Answer first = once(node, KEY, answered(3));
        Answer second = once(otherNode, KEY, answered(5));

        assertThat(first.repeated()).isFalse();
        assertThat(second.repeated()).isTrue();
        assertThat(second.result()).isInstanceOfSatisfying(Answered.class, again -> {
            assertThat(again.response().status()).isEqualTo(201);
            assertThat(again.response().headers()).containsExactly(new HttpResponse.Header("X-Total", "é"));
            assertThat(again.response().body().kind()).isEqualTo(HttpBody.Kind.TEXT);
            assertThat(again.response().body().bytes()).hasSize(3);
        });
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void otherRequest_isRefused() {
        once(node, KEY, answered(3));

        assertRefused(OTHER_BODY, "idempotency_key_reused");
        assertThat(calls).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"THREW", "TIMED_OUT", "OUT_OF_MEMORY", "WRITE_FAILED"})
    void failure_isRepeatedWithItsReason(Outcome.Result how) {
        once(node, KEY, new Answered(new Outcome(how, 5, "Error: no", 3, 7), HttpResponse.NONE));

        Answer again = once(otherNode, KEY, answered(1));

        assertThat(again.result())
                .isInstanceOfSatisfying(
                        Answered.class,
                        same -> assertThat(same.outcome()).isEqualTo(new Outcome(how, 0, "Error: no", 3, 7)));
    }

    @Test
    void responseInParts_isSentOnce() {
        StreamedResponse.Client client = new StreamedResponse.Client() {
            @Override
            public void taken(long bytes) {}

            @Override
            public void gone() {}
        };
        once(
                node,
                KEY,
                new RequestResult.Streamed(new StreamedResponse(answered(3).response(), client)));

        assertRefused(KEY, "answer_not_kept");
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void functionThatWasNotCalled_isCalledByTheRepetition() {
        once(node, KEY, new RequestResult.NoWorker());
        once(node, KEY, new Answered(Outcome.skipped(), HttpResponse.NONE));

        assertThat(once(otherNode, KEY, answered(1)).repeated()).isFalse();
        assertThat(calls).isEqualTo(3);
    }

    @Test
    void requestWithoutAnAnswer_isInProgress_andThenLost() {
        CompletableFuture<RequestResult> never = new CompletableFuture<>();
        CompletableFuture<Answer> first = node.once(KEY, () -> never);

        assertRefused(KEY, "request_in_progress");
        now = now.plus(Duration.ofSeconds(81));
        assertThat(once(otherNode, KEY, answered(1)).result()).isEqualTo(new RequestResult.WorkerEnded());
        assertThat(first).isNotDone();
        assertThat(calls).isZero();
    }

    @Test
    void largeAnswer_isNotKept() {
        Answer first = once(node, KEY, answered(RequestLimits.MAX_KEPT_BODY_BYTES + 1));

        assertThat(first.repeated()).isFalse();
        assertRefused(KEY, "answer_not_kept");
    }

    @Test
    void functionWithTooManyAnswers_isNotCalled() {
        store.reserve("f", AnswerStore.MAX_BYTES_PER_FUNCTION).join();

        assertRefused(KEY, "too_many_idempotency_keys");
        assertThat(calls).isZero();
        now = now.plus(AnswerStore.RETENTION);
        assertThat(once(node, KEY, answered(1)).repeated()).isFalse();
    }

    /** Redis carries out a command and the connection ends before its answer. */
    @ParameterizedTest
    @ValueSource(strings = {"claim", "reserve"})
    void callOfTheStoreThatTakesEffectAndFails_leavesTheKeyFree(String which) {
        AtomicBoolean failing = new AtomicBoolean(true);
        AnswerStore cutOff = (AnswerStore) Proxy.newProxyInstance(
                AnswerStore.class.getClassLoader(), new Class<?>[] {AnswerStore.class}, (proxy, method, arguments) -> {
                    Object done = method.invoke(store, arguments);
                    return method.getName().equals(which) && failing.compareAndSet(true, false)
                            ? CompletableFuture.failedFuture(new IllegalStateException("the connection has ended"))
                            : done;
                });
        IdempotentCalls unlucky = new IdempotentCalls(cutOff, clock);

        assertThatThrownBy(() -> once(unlucky, KEY, answered(1)))
                .cause()
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem().code()).isEqualTo("unavailable"));
        assertThat(calls).isZero();

        assertThat(once(unlucky, KEY, answered(1)).repeated()).isFalse();
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void requestWithoutAKey_isCalledEachTime() {
        once(node, Optional.empty(), answered(1));
        once(node, Optional.empty(), answered(1));

        assertThat(calls).isEqualTo(2);
    }
}
