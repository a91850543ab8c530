package io.millrace.eventing.http;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.problemdetails.JsonMistake;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The body of a request; the content type is ignored, because curl declares every body a form. */
public record Body(byte[] bytes) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** Returns the body as JSON; fails with ERR_UNMARSHAL_PLD if it is not JSON. */
    public JsonNode json() {
        if (bytes.length == 0) {
            throw FunctionsException.of(ErrorCode.ERR_UNMARSHAL_PLD, "The request has no body. Send JSON.");
        }
        try {
            return JSON.readTree(bytes);
        } catch (JacksonException malformed) {
            TokenStreamLocation at = malformed.getLocation();
            throw FunctionsException.of(
                    ErrorCode.ERR_UNMARSHAL_PLD,
                    "The body is not JSON (line %d, column %d): %s"
                            .formatted(
                                    at == null ? 0 : at.getLineNr(),
                                    at == null ? 0 : at.getColumnNr(),
                                    JsonMistake.of(malformed)));
        }
    }

    /** Returns the body as JSON, or null if it is empty. */
    @Nullable
    public JsonNode optionalJson() {
        return bytes.length == 0 ? null : json();
    }

    /** Returns the body as text; fails with ERR_READ_REQ if it is not UTF-8. */
    public String text() {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw FunctionsException.of(ErrorCode.ERR_READ_REQ, "The body is not UTF-8 text.");
        }
    }
}
