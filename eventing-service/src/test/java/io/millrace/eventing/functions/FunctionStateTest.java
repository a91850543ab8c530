package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.LifecycleFlags;
import io.millrace.eventing.functions.FunctionState.Deployed;
import io.millrace.eventing.functions.FunctionState.Deploying;
import io.millrace.eventing.functions.FunctionState.Failure;
import io.millrace.eventing.functions.FunctionState.Paused;
import io.millrace.eventing.functions.FunctionState.Pausing;
import io.millrace.eventing.functions.FunctionState.Resuming;
import io.millrace.eventing.functions.FunctionState.Transition;
import io.millrace.eventing.functions.FunctionState.Undeployed;
import io.millrace.eventing.functions.FunctionState.Undeploying;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FunctionStateTest {

    private static final Instant BEFORE = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:09Z");
    private static final Failure FAILURE = new Failure("no good", 3, 7, NOW);

    private static final Map<String, FunctionState> STATES = Map.of(
            "undeployed", new Undeployed(BEFORE, null),
            "deploying", new Deploying(BEFORE, null),
            "deployed", new Deployed(BEFORE),
            "pausing", new Pausing(BEFORE, null),
            "paused", new Paused(BEFORE, null),
            "resuming", new Resuming(BEFORE, BEFORE, null),
            "undeploying", new Undeploying(BEFORE, null));

    private static final Map<String, BiFunction<FunctionState, Instant, Transition>> REQUESTS = Map.of(
            "deploy", FunctionState::deploy,
            "undeploy", FunctionState::undeploy,
            "pause", FunctionState::pause,
            "resume", FunctionState::resume);

    /** Every state with every request: the state after it, or the error. */
    static Stream<Arguments> table() {
        return Stream.of(
                        "undeployed  | deploy   | deploying",
                        "undeployed  | undeploy | ERR_APP_NOT_DEPLOYED",
                        "undeployed  | pause    | ERR_INVALID_REQUEST",
                        "undeployed  | resume   | deploying",
                        "deploying   | deploy   | ERR_INVALID_REQUEST",
                        "deploying   | undeploy | ERR_INVALID_REQUEST",
                        "deploying   | pause    | ERR_INVALID_REQUEST",
                        "deploying   | resume   | ERR_INVALID_REQUEST",
                        "deployed    | deploy   | ERR_APP_ALREADY_DEPLOYED",
                        "deployed    | undeploy | undeploying",
                        "deployed    | pause    | pausing",
                        "deployed    | resume   | ERR_APP_ALREADY_DEPLOYED",
                        "pausing     | deploy   | ERR_INVALID_REQUEST",
                        "pausing     | undeploy | ERR_INVALID_REQUEST",
                        "pausing     | pause    | ERR_INVALID_REQUEST",
                        "pausing     | resume   | ERR_INVALID_REQUEST",
                        "paused      | deploy   | resuming",
                        "paused      | undeploy | undeploying",
                        "paused      | pause    | ERR_APP_PAUSED",
                        "paused      | resume   | resuming",
                        "resuming    | deploy   | ERR_INVALID_REQUEST",
                        "resuming    | undeploy | ERR_INVALID_REQUEST",
                        "resuming    | pause    | ERR_INVALID_REQUEST",
                        "resuming    | resume   | ERR_INVALID_REQUEST",
                        "undeploying | deploy   | ERR_INVALID_REQUEST",
                        "undeploying | undeploy | ERR_INVALID_REQUEST",
                        "undeploying | pause    | ERR_INVALID_REQUEST",
                        "undeploying | resume   | ERR_INVALID_REQUEST")
                .map(row -> Arguments.of((Object[]) row.split("\\s*\\|\\s*")));
    }

    @ParameterizedTest
    @MethodSource("table")
    void request_inEachState(String state, String request, String expected) {
        Transition answer = request(request).apply(state(state), NOW);

        switch (answer) {
            case Transition.To(FunctionState next) -> {
                assertThat(next.label()).isEqualTo(expected);
                assertThat(next.since()).isEqualTo(NOW);
                assertThat(next.failure()).isNull();
            }
            case Transition.Refused(ErrorCode code, String reason) -> {
                assertThat(code.name()).isEqualTo(expected);
                assertThat(reason).isNotBlank();
            }
        }
    }

    @Test
    void table_hasEveryStateAndRequest() {
        assertThat(table().map(row -> row.get()[0] + " " + row.get()[1]))
                .doesNotHaveDuplicates()
                .hasSize(STATES.size() * REQUESTS.size());
        assertThat(FunctionState.class.getPermittedSubclasses())
                .hasSize(STATES.size() - 4 + 1); // four of them under Transitional
        assertThat(FunctionState.Transitional.class.getPermittedSubclasses())
                .hasSize(4 - 2 + 1); // two of them under Starting
        assertThat(FunctionState.Starting.class.getPermittedSubclasses()).hasSize(2);
    }

    @Test
    void label_isTheNameOfTheState() {
        STATES.forEach((label, state) -> assertThat(state.label()).isEqualTo(label));
    }

    @Test
    void flags_reportTheState() {
        assertThat(state("undeployed").flags()).isEqualTo(LifecycleFlags.UNDEPLOY);
        assertThat(state("undeploying").flags()).isEqualTo(LifecycleFlags.UNDEPLOY);
        assertThat(state("deploying").flags()).isEqualTo(LifecycleFlags.DEPLOY);
        assertThat(state("deployed").flags()).isEqualTo(LifecycleFlags.DEPLOY);
        assertThat(state("resuming").flags()).isEqualTo(LifecycleFlags.DEPLOY);
        assertThat(state("pausing").flags()).isEqualTo(LifecycleFlags.PAUSE);
        assertThat(state("paused").flags()).isEqualTo(LifecycleFlags.PAUSE);
    }

    @Test
    void deploying_goesOnOrBack() {
        Deploying state = new Deploying(BEFORE, "a");

        assertThat(state.started(NOW)).isEqualTo(new Deployed(NOW));
        assertThat(state.failed(FAILURE)).isEqualTo(new Undeployed(NOW, FAILURE));
    }

    @Test
    void resuming_goesOnOrBackToPaused() {
        Resuming state = new Resuming(BEFORE, BEFORE, "a");

        assertThat(state.started(NOW)).isEqualTo(new Deployed(NOW));
        assertThat(state.failed(FAILURE)).isEqualTo(new Paused(NOW, FAILURE));
    }

    @Test
    void pausing_endsPaused() {
        assertThat(new Pausing(BEFORE, null).stopped(NOW)).isEqualTo(new Paused(NOW, null));
    }

    @Test
    void deployed_thatLostItsSource_isUndeployedWithTheReason() {
        FunctionState lost = new Deployed(BEFORE).lost(FAILURE);

        assertThat(lost).isEqualTo(new Undeploying(NOW, FAILURE));
        assertThat(((Undeploying) lost).removed(NOW)).isEqualTo(new Undeployed(NOW, FAILURE));
    }

    @Test
    void refusal_namesTheFunction() {
        Transition refused = new Deployed(BEFORE).deploy(NOW);

        assertThatThrownBy(() -> refused.orRefuse(FunctionName.of("f")))
                .hasMessage("Invalid operation. Function: f already in deployed state");
    }

    private static FunctionState state(String label) {
        return Objects.requireNonNull(STATES.get(label));
    }

    private static BiFunction<FunctionState, Instant, Transition> request(String name) {
        return Objects.requireNonNull(REQUESTS.get(name));
    }
}
