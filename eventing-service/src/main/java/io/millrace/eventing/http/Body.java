package io.millrace.eventing.http;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionsException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The body of a request, whatever content type its sender claims: curl calls everything a form. */
public record Body(byte[] bytes) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** Fails with ERR_UNMARSHAL_PLD when the body is not JSON. */
    public JsonNode json() {
        if (bytes.length == 0) {
            throw FunctionsException.of(ErrorCode.ERR_UNMARSHAL_PLD, "The request has no body; JSON is expected.");
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
                                    malformed.getOriginalMessage()));
        }
    }

    /** Returns the body as JSON, or null when there is none. */
    @Nullable
    public JsonNode optionalJson() {
        return bytes.length == 0 ? null : json();
    }

    /** Fails with ERR_READ_REQ when the body is not UTF-8. */
    public String text() {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw FunctionsException.of(ErrorCode.ERR_READ_REQ, "The body is not text in UTF-8.");
        }
    }
}
