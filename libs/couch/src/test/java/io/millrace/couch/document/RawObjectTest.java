package io.millrace.couch.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.couch.CouchException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawObjectTest {

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32", "UTF-32BE", "UTF-32LE"})
    void otherEncodings_areRefused(String charset) {
        byte[] object = "{\"docs\":[{\"a\":1}]}".getBytes(Charset.forName(charset));
        byte[] array = "[1,2]".getBytes(Charset.forName(charset));

        assertThatThrownBy(() -> RawObject.parse(object)).isInstanceOf(CouchException.class);
        assertThatThrownBy(() -> RawObject.elements(array)).isInstanceOf(CouchException.class);
    }

    @Test
    void byteOrderMarkOfUtf8_isSkipped() {
        RawObject object = RawObject.parse("\uFEFF{\"a\": [1]}".getBytes(StandardCharsets.UTF_8));

        assertThat(object.get("a")).asString(StandardCharsets.UTF_8).isEqualTo("[1]");
    }
}
