package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.HandlerEngine.Compilation;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnownHandlersTest {

    private static final String CODE = "function OnUpdate(doc, meta) { log('%s'); }";

    @Test
    void codeThatWasTried_isNotTriedAgain() {
        Compilation first = new Fixture().compile(CODE.formatted("again"));

        assertThat(new Fixture().compile(CODE.formatted("again"))).isSameAs(first);
        assertThat(new Fixture().allocationLimit(8 << 20).compile(CODE.formatted("again")))
                .isNotSameAs(first);
        assertThat(new Fixture().compile(CODE.formatted("other"))).isNotSameAs(first);
    }

    @Test
    void codeThatWasRejected_isRejectedAgain() {
        String code = "function OnUpdate() {} }";

        assertThat(new Fixture().compile(code)).isEqualTo(new Fixture().compile(code));
    }

    @Test
    void codeBehindAHeaderThatRuns_isTriedEachTime() {
        String header = "let tries = 1;";
        Compilation first = new Fixture().headers(header).compile(CODE.formatted("header"));

        assertThat(first).isInstanceOf(Handler.class);
        assertThat(new Fixture().headers(header).compile(CODE.formatted("header")))
                .isNotSameAs(first);
    }

    @Test
    void codeWithALibrary_isTriedEachTime() {
        Compilation first = withLibrary();

        assertThat(first).isInstanceOf(Handler.class);
        assertThat(withLibrary()).isNotSameAs(first);
    }

    private static Compilation withLibrary() {
        return new Fixture()
                .library("one@1", "export const one = Math.random();")
                .compile("import {one} from 'one@1'; function OnUpdate() { log(one); }");
    }

    @Test
    void handlers_thatWereUsedLongAgo_areForgotten() {
        Compilation first = new Fixture().compile(CODE.formatted("first"));

        IntStream.range(0, HandlerLimits.KNOWN_HANDLERS)
                .forEach(n -> new Fixture().compile(CODE.formatted("later" + n)));

        assertThat(new Fixture().compile(CODE.formatted("first"))).isNotSameAs(first);
    }
}
