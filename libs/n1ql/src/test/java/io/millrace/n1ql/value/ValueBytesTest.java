package io.millrace.n1ql.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ValueBytesTest {

    private static Value json(String text) {
        return Objects.requireNonNull(Json.parse(text));
    }

    private static Value readBack(Value value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ValueBytes.write(value, new DataOutputStream(bytes));
        return ValueBytes.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }

    @Test
    void values_areTheSameWhenTheyAreReadBack() throws IOException {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("b", Value.of(1.0));
        fields.put("a", ArrayValue.of(Value.MISSING, Value.NULL, Value.of("\u0000\ud83d\ude00")));
        for (Value value : List.of(
                Value.MISSING,
                Value.NULL,
                Value.TRUE,
                Value.FALSE,
                Value.of(Long.MIN_VALUE),
                Value.of(-0.0),
                Value.of(Double.NaN),
                Value.of(Double.POSITIVE_INFINITY),
                json("1.10"),
                json("12345678901234567890123"),
                json("{\"x\": [1, {\"y\": 2.50}], \"x\": 3}"),
                new BinaryValue(new byte[] {0, 1}),
                ObjectValue.of(fields))) {
            Value back = readBack(value);

            assertThat(back.toString()).isEqualTo(value.toString());
            assertThat(back).isEqualTo(value);
            assertThat(back.type()).isEqualTo(value.type());
        }
        assertThat(((ArrayValue) ((ObjectValue) readBack(ObjectValue.of(fields))).get("a"))
                        .get(0)
                        .isMissing())
                .isTrue();
    }

    @Test
    void partOfADocument_holdsTheDocumentUntilItIsAlone() {
        Value document = json("{\"small\":{\"n\":1},\"large\":\"" + "x".repeat(10_000) + "\"}");
        Value small = ((ObjectValue) document).get("small");

        assertThat(ValueBytes.size(small)).isGreaterThan(10_000);
        assertThat(ValueBytes.size(ValueBytes.alone(small))).isLessThan(500);
        assertThat(ValueBytes.alone(small)).isEqualTo(small);
        assertThat(ValueBytes.size(ValueBytes.alone(ArrayValue.of(small, small))))
                .isLessThan(1000);
    }
}
