package io.millrace.n1ql.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonItemsTest {

    private final Random random = new Random(20261127);

    private static Value parsed(String text) {
        return Json.trusted(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Whatever is read first, and however much of it: items are what was written. */
    @Test
    void items_readInAnyOrder_areThoseOfTheText() {
        for (int round = 0; round < 3_000; round++) {
            StringBuilder text = new StringBuilder();
            Value written = array(0, text);
            Value read = parsed("{ \"before\":1, \"a\" : " + text + " , \"after\" : [ 7 ]}");
            ArrayValue items = (ArrayValue) read.field(FieldName.of("a"));
            for (int step = random.nextInt(4); step > 0; step--) {
                touch(items);
            }

            assertThat(((ArrayValue) read.field(FieldName.of("after"))).items())
                    .as("%s", text)
                    .containsExactly(Value.of(7));
            assertThat((Value) items).as("%s", text).isEqualTo(written);
            assertThat(parsed(items.toJson())).as("%s", text).isEqualTo(written);
        }
    }

    @Test
    void items_thatEnd_sayIt() {
        Iterator<Value> items = ((ArrayValue) parsed("[ 1 , {\"a\":[ ]} ]")).iterator();

        assertThat(items.next()).isEqualTo(Value.of(1));
        assertThat(items.next().field(FieldName.of("a"))).isEqualTo(ArrayValue.of());
        assertThat(items.hasNext()).isFalse();
        assertThatThrownBy(items::next).isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(() -> ((ArrayValue) parsed("[1]")).get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** The text ends within an item, so reading on would fail. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT RAW $items[1].a",
                "SELECT RAW x.a FROM [1] AS one UNNEST $items AS x WHERE x.a = 2 LIMIT 1",
                "SELECT RAW FIRST x.a FOR x IN $items WHEN x.a = 2 END",
                "SELECT RAW 2 LET found = ANY x IN $items SATISFIES x.a = 2 END WHERE found"
            })
    void items_behindTheWantedOne_areNotRead(String statement) {
        Value items = parsed("[{\"a\":1}, {\"a\":2,\"b\":[{}, \"");
        QueryEngine engine = new QueryEngine(new MemoryKeyspaces(), InstantSource.system());

        try (Rows rows = engine.execute(statement, QueryOptions.DEFAULT.withNamed(Map.of("items", items)))) {
            assertThat(rows.next()).isEqualTo(Value.of(2));
        }
    }

    /** Reads a part of a value, of its parts and so on. */
    private void touch(Value value) {
        if (value instanceof ArrayValue array) {
            switch (random.nextInt(4)) {
                case 0 -> array.size();
                case 1 -> touch(array.element(random.nextInt(4)));
                case 2 -> {
                    int some = random.nextInt(4);
                    for (Value item : array) {
                        touch(item);
                        if (--some < 0) {
                            break;
                        }
                    }
                }
                default -> array.toJson();
            }
        } else if (value instanceof ObjectValue object) {
            touch(object.get("k" + random.nextInt(4)));
        }
    }

    private Value value(int depth, StringBuilder text) {
        return switch (random.nextInt(depth > 3 ? 3 : 6)) {
            case 0 -> {
                int number = random.nextInt(100);
                text.append(number);
                yield Value.of(number);
            }
            case 1 -> {
                String string = "x]},:\"\\ ".repeat(random.nextInt(20));
                text.append('"')
                        .append(string.replace("\\", "\\\\").replace("\"", "\\\""))
                        .append('"');
                yield Value.of(string);
            }
            case 2 -> {
                text.append("null");
                yield Value.NULL;
            }
            case 3 -> object(depth, text);
            default -> array(depth, text);
        };
    }

    private Value object(int depth, StringBuilder text) {
        Map<String, Value> fields = new LinkedHashMap<>();
        text.append('{').append(blanks());
        for (int i = 0, size = random.nextInt(4); i < size; i++) {
            text.append(i == 0 ? "" : ",")
                    .append(blanks())
                    .append("\"k")
                    .append(i)
                    .append("\":")
                    .append(blanks());
            fields.put("k" + i, value(depth + 1, text));
            text.append(blanks());
        }
        text.append('}');
        return ObjectValue.of(fields);
    }

    private Value array(int depth, StringBuilder text) {
        List<Value> items = new ArrayList<>();
        text.append('[').append(blanks());
        for (int i = 0, size = random.nextInt(5); i < size; i++) {
            text.append(i == 0 ? "" : ",").append(blanks());
            items.add(value(depth + 1, text));
            text.append(blanks());
        }
        text.append(']');
        return ArrayValue.of(items);
    }

    private String blanks() {
        return " \n".repeat(random.nextInt(2));
    }
}
