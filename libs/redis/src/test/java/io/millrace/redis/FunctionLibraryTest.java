package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FunctionLibraryTest {

    private enum Missing {
        NOWHERE
    }

    @Test
    void name_followsTheContent() {
        String one = FunctionLibrary.of("lib", Sample.class, "local STEP = 1").source();
        String same = FunctionLibrary.of("lib", Sample.class, "local STEP = 1").source();
        String other = FunctionLibrary.of("lib", Sample.class, "local STEP = 2").source();

        assertThat(one).startsWith("#!lua name=lib_").isEqualTo(same);
        assertThat(firstLine(other)).isNotEqualTo(firstLine(one));
    }

    @Test
    void file_thatIsMissing_isNamed() {
        assertThatThrownBy(() -> FunctionLibrary.of("lib", Missing.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nowhere.lua");
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElseThrow();
    }
}
