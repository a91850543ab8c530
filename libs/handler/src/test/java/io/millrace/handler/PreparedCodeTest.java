package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.handler.HandlerEngine.Compilation;
import io.millrace.handler.host.NoHost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left to the first thread when code is prepared, and what is not. */
class PreparedCodeTest {

    private final Host trial = new Host();

    /** Counts the threads that are made for it. */
    private static final class Host extends NoHost {
        private int threads;

        @Override
        public int queryCursors() {
            threads++;
            return super.queryCursors();
        }
    }

    @Test
    void codeThatOnlyDeclares_isNotLoadedOnTrial() {
        Fixture function = new Fixture();

        Compilation prepared = function.prepare("function OnUpdate() { log('prepared'); }", trial);

        assertThat(trial.threads).isZero();
        assertThat(prepared).isInstanceOfSatisfying(Handler.class, handler -> {
            assertThat(handler.entryPoints()).containsExactly("OnUpdate");
            InvocationResult ended =
                    function.with(handler, thread -> thread.onUpdate(Fixture.meta("id"), Fixture.utf8("{}"), null));
            assertThat(ended).isInstanceOf(InvocationResult.Success.class);
        });
        assertThat(function.host.lines).containsExactly("INFO \"prepared\"");
    }

    @Test
    void codeThatRunsWhileItIsLoaded_isLoadedOnTrial() {
        String code = "function OnUpdate() {}";

        assertThat(new Fixture().headers("let tries = 1;").prepare(code, trial)).isInstanceOf(Handler.class);
        assertThat(trial.threads).isEqualTo(1);
        assertThat(new Fixture().constant("one", "1").prepare(code, trial)).isInstanceOf(Handler.class);
        assertThat(trial.threads).isEqualTo(2);
        assertThat(new Fixture()
                        .library("one@1", "export const one = 1;")
                        .prepare("import {one} from 'one@1'; function OnUpdate() { log(one); }", trial))
                .isInstanceOf(Handler.class);
        assertThat(trial.threads).isEqualTo(3);
    }

    @Test
    void codeThatHasAStatement_isPreparedWithIt() {
        Compilation prepared =
                new Fixture().prepare("function OnUpdate(doc) { SELECT x FROM b WHERE y = $doc.y; }", trial);

        assertThat(prepared)
                .isInstanceOfSatisfying(
                        Handler.class,
                        handler -> assertThat(handler.usesQueries()).isTrue());
        assertThat(trial.threads).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "function OnUpdate(doc) {\n  if (doc {\n}",
                "function helper() {}",
                "function OnUpdate() {} var count = 0;",
                "function OnUpdate() {} }",
                "import {one} from 'one@1'; function OnUpdate() {}"
            })
    void codeThatCannotBeAHandler_isRejectedAsByCompile(String code) {
        assertThat(new Fixture().prepare(code, trial))
                .isInstanceOf(HandlerRejected.class)
                .isEqualTo(new Fixture().compile(code));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "function undefined() {} function OnUpdate() {}",
                "function b() {} function OnUpdate() {}",
                "function OnUpdate() { return /(/; }"
            })
    void codeThatDoesNotLoad_failsWhenItIsOpened(String code) {
        Fixture function = new Fixture();

        Handler handler = (Handler) function.prepare(code, trial);

        assertThatThrownBy(() -> function.with(handler, thread -> true)).isInstanceOf(NotLoaded.class);
        assertThat(function.compile(code)).isInstanceOf(HandlerRejected.class);
    }
}
