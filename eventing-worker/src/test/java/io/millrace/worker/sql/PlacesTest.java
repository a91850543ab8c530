package io.millrace.worker.sql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.workerprotocol.HandlerSettings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numeric addresses, so that no name has to be resolved. */
class PlacesTest {

    private static Places places(List<String> allowed, List<String> refused) {
        return new Places(new HandlerSettings.Access(List.of(), refused, allowed, "", ""), "redis://10.1.2.3:6379");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:5432/crm",
                "jdbc:postgresql://[::1]:5432/crm",
                "jdbc:postgresql://169.254.169.254:5432/crm",
                "jdbc:postgresql://10.1.2.3:6379/crm",
                "jdbc:postgresql://93.184.216.34/crm",
                "jdbc:postgresql://93.184.216.34:65536/crm",
                "jdbc:postgresql://93.184.216.34:5432/crm?socketFactory=Evil",
                "jdbc:postgresql://93.184.216.34:5432/crm;x=1",
                "jdbc:postgresql://93.184.216.34:5432,127.0.0.1:5432/crm",
                "jdbc:postgresql://user@93.184.216.34:5432/crm",
                "jdbc:postgresql://93.184.216.34:5432/crm/../x",
                "jdbc:postgresql:crm",
                "jdbc:mysql://93.184.216.34:3306/crm",
                "jdbc:postgresql2://93.184.216.34:5432/crm",
                "jdbc:sqlite:/etc/crm.db",
                "jdbc:h2:mem:x;INIT=RUNSCRIPT FROM 'http://evil'"
            })
    void placeThatTheOperatorHasNotNamed_isRefused(String url) {
        assertThatThrownBy(
                        () -> places(List.of("10.0.0.9", url + "x"), List.of()).check(url))
                .hasMessageMatching(".* may not be (used|called) by functions.*");
    }

    @Test
    void publicOrNamedPlace_mayBeUsed() {
        Places places = places(List.of("127.0.0.1:5432", "jdbc:sqlite:/data/crm.db"), List.of("127.0.0.1:5433"));

        assertThatCode(() -> places.check("jdbc:postgresql://93.184.216.34:5432/crm"))
                .doesNotThrowAnyException();
        assertThatCode(() -> places.check("jdbc:postgresql://127.0.0.1:5432/crm"))
                .doesNotThrowAnyException();
        assertThatCode(() -> places.check("jdbc:mysql://127.0.0.1:5432/crm")).doesNotThrowAnyException();
        assertThatCode(() -> places.check("jdbc:sqlite:/data/crm.db")).doesNotThrowAnyException();
        assertThatThrownBy(() -> places.check("jdbc:postgresql://127.0.0.1:5433/crm"))
                .hasMessageContaining("may not be called");
    }

    @Test
    void hostOfADriverThatResolvesNames_mustBeNamed() {
        assertThatThrownBy(() ->
                        places(List.of("93.184.216.34:3307"), List.of()).check("jdbc:mysql://93.184.216.34:3306/crm"))
                .hasMessage("the database may not be used by functions: its driver connects to addresses that are not"
                        + " checked; name 93.184.216.34:3306 in MILLRACE_SQL_ALLOWED if it may be used");
        assertThatThrownBy(() ->
                        places(List.of("169.254.169.254"), List.of()).check("jdbc:mysql://169.254.169.254:3306/crm"))
                .hasMessageContaining("may not be called");
    }
}
