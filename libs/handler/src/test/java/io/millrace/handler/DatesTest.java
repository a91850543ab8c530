package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dates in a time zone that is not UTC. */
class DatesTest {
    private static final TimeZone OF_THE_MACHINE = TimeZone.getDefault();
    private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");
    private static final long LOCAL_DAY =
            LocalDateTime.of(2031, 3, 9, 0, 0).atZone(TOKYO).toInstant().toEpochMilli();
    private final Fixture function = new Fixture();

    @BeforeAll
    static void moveToTokyo() {
        TimeZone.setDefault(TimeZone.getTimeZone(TOKYO));
    }

    @AfterAll
    static void moveBack() {
        TimeZone.setDefault(OF_THE_MACHINE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "03-09-2031",
                "3/9/2031",
                "2031/03/09",
                "2031-3-9",
                "Mar 9, 2031",
                "9 March 2031",
                "Sun Mar 09 2031"
            })
    void dayWithoutATime_isOneOfTheLocalTimeZone(String day) {
        assertThat(logged("Date.parse('%s'), new Date('%s').getTime()".formatted(day, day)))
                .isEqualTo(LOCAL_DAY + " " + LOCAL_DAY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2031-03-09", "2031-03-09T00:00:00Z", "Sun, 09 Mar 2031 00:00:00 GMT", "9 Mar 2031 UTC"})
    void dayOfTheStandard_andTextWithAZone_areAsTheySay(String text) {
        assertThat(logged("Date.parse('%s')".formatted(text)))
                .isEqualTo(String.valueOf(Instant.parse("2031-03-09T00:00:00Z").toEpochMilli()));
    }

    @Test
    void dates_areOrdinaryOnes() {
        assertThat(logged("new Date(5) instanceof Date, new Date(2031, 2, 9).getTime() === " + LOCAL_DAY
                        + ", new Date(new Date(7)).getTime(), Date.name, Date.length, new Date(0).constructor === Date"
                        + ", typeof Date(), isNaN(new Date('no date')), isNaN(new Date(undefined)), Date.UTC(1970, 0)"
                        + ", new (class extends Date { half() { return this.getTime() / 2; } })(8).half()"))
                .isEqualTo("true true 7 \"Date\" 7 true \"string\" true true 0 4");
    }

    @Test
    void localTimes_havePlainSpaces() {
        assertThat(logged("new Date(0).toLocaleString('en-US'), new Date(0).toLocaleTimeString('en-US'),"
                        + " Date.prototype.toLocaleString.name, Object.keys(Date.prototype).length"))
                .isEqualTo("\"1/1/1970, 9:00:00 AM\" \"9:00:00 AM\" \"toLocaleString\" 0");
    }

    @Test
    void texts_haveTheFullNameOfTheTimeZone_andCanBeRead() {
        assertThat(logged(
                        "`${new Date(0)}`, new Date(0).toTimeString(), `${new Date(NaN)}`, Date.parse(new Date(5000)),"
                                + " Date().endsWith('(Japan Standard Time)'), Object.keys(Date.prototype).length"))
                .isEqualTo("\"Thu Jan 01 1970 09:00:00 GMT+0900 (Japan Standard Time)\""
                        + " \"09:00:00 GMT+0900 (Japan Standard Time)\" \"Invalid Date\" 5000 true 0");
    }

    @Test
    void formatsOfLocalTimes_havePlainSpaces() {
        String format = "new Intl.DateTimeFormat('en-US', {timeStyle: 'short'})";
        assertThat(logged(
                        ("%1$s.format(new Date(0)), [0].map(%1$s.format)[0], %1$s.formatRange(0, 60000).includes('\\u202f'),"
                                        + " %1$s.formatToParts(0).map((part) => part.value).join(''),"
                                        + " %1$s.formatRangeToParts(0, 60000).some((part) => part.value.includes('\\u202f'))")
                                .formatted(format)))
                .isEqualTo("\"9:00 AM\" \"9:00 AM\" false \"9:00 AM\" false");
    }

    private String logged(String arguments) {
        function.update("function OnUpdate() { log(%s); }".formatted(arguments), "{}");
        return function.host.lines.getLast().substring("INFO ".length());
    }
}
