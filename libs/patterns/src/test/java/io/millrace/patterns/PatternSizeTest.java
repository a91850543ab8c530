package io.millrace.patterns;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatternSizeTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "abc 3",
                "a{3} 3",
                "a{2,5}b 6",
                "(a{10}b){10} 120",
                "[a}{]{4} 4",
                "[]{2}]{3} 3",
                "[[:alpha:]{9}]{2} 2",
                "\\d{4}-\\d{2} 7",
                "\\pL{3}|x{2} 7",
                "\\x{41}{7} 7",
                "a{,5} 5",
                "a{x 3",
                "((a{1000}){1000}){1000} 1001001000",
            })
    void of_countsWhatIsRepeated(String regex, long size) {
        assertThat(PatternSize.of(regex)).isEqualTo(size);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a{30}){30}",
                "([a-z]{20}\\.){20}",
                "(\\Qab}{\\E{12}x){9}",
                "(?i:(foo|ba[rz]){25}){25}",
                "(\\p{Lu}{15}){15}"
            })
    void of_isAsLargeAsWhatIsCompiled(String regex) {
        int compiled = Pattern.compile(regex).programSize();

        assertThat(PatternSize.of(regex)).isBetween(compiled / 2L, 2L * compiled);
    }

    @Test
    void of_largestRepetitions_areLargeAndNotNegative() {
        assertThat(PatternSize.of("(".repeat(20) + "a" + "{1000})".repeat(20))).isEqualTo(1L << 40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "}{", "a{", "a{1", ")", "((", "[", "[^", "\\", "\\Q{3}", "\\p{", "[[:"})
    void of_textThatDoesNotCompile_isNoLargerThanItself(String text) {
        assertThat(PatternSize.of(text)).isBetween(0L, (long) text.length());
    }
}
