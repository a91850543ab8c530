package io.millrace.n1ql.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPlacesTest {

    private static final List<String> NAMES = List.of("a", "b", "A", "q\"", "ä", "", "none");

    private static byte[] text(String json) {
        return json.replace('\'', '"').getBytes(UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " { } ",
                "{'a':1}",
                "\n{ 'b' : [1, {'a': 2}] , 'a' : 'x' }\t",
                "{'a':{'b':{'a':3}},'b':-1.50,'ä':null}",
                "{'a':1,'b':2,'a':3}",
                "{'q\\\"':true,'\\u0061':'escaped name','':0}",
                "{'A':[],'k1':1,'k2':2,'k3':3,'k4':4,'k5':5,'k6':6,'k7':7,'b':8}"
            })
    void objectWithKnownPlaces_isTheSame(String json) {
        byte[] text = text(json);
        FieldPlaces places = Objects.requireNonNull(FieldPlaces.of(text));

        for (int time = 0; time < 2; time++) {
            ObjectValue known = (ObjectValue) Json.trusted(text, places);
            ObjectValue searched = (ObjectValue) Json.trusted(text);

            for (String name : NAMES) {
                assertThat(known.get(name)).as(name).isEqualTo(searched.get(name));
                assertThat(known.field(FieldName.ignoringCase(name)))
                        .isEqualTo(searched.field(FieldName.ignoringCase(name)));
            }
            assertThat(known.fields()).containsExactlyEntriesOf(searched.fields());
            assertThat(known.toJson()).isEqualTo(searched.toJson());
            assertThat(ValueBytes.alone(known)).isEqualTo(searched);
        }
    }

    @Test
    void textOfAnObjectThatWasNotRead_isWhole() {
        byte[] text = text(" {'a':[1,2]} ");

        assertThat(Json.trusted(text, FieldPlaces.of(text)).toJson()).isEqualTo("{\"a\":[1,2]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "[{'a':1}]", "'{'", "null", " "})
    void otherTexts_haveNoPlaces(String json) {
        byte[] text = text(json);

        assertThat(FieldPlaces.of(text)).isNull();
        assertThat(Json.trusted(text, null)).isEqualTo(Json.trusted(text));
    }

    @Test
    void size_growsWithTheFields() {
        FieldPlaces one = Objects.requireNonNull(FieldPlaces.of(text("{'a':1}")));
        FieldPlaces two = Objects.requireNonNull(FieldPlaces.of(text("{'a':1,'b':2}")));

        assertThat(two.heldBytes()).isEqualTo(one.heldBytes() + 3 * Integer.BYTES);
    }
}
