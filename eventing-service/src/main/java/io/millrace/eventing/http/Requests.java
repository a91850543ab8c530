package io.millrace.eventing.http;

import io.millrace.eventing.functions.ErrorCode;
import io.millrace.eventing.functions.FunctionsException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads requests. Bodies are taken as they come, whatever content type a client claims. */
final class Requests {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Requests() {}

    /** Does work that may block on a thread that may. */
    static <T> Mono<T> work(Callable<T> work) {
        return Mono.fromCallable(work).subscribeOn(Schedulers.boundedElastic());
    }

    /** Fails with ERR_UNMARSHAL_PLD when the body is not JSON. */
    static JsonNode json(byte @Nullable [] body) {
        if (body == null || body.length == 0) {
            throw FunctionsException.of(ErrorCode.ERR_UNMARSHAL_PLD, "The request has no body; JSON is expected.");
        }
        try {
            return JSON.readTree(body);
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
    static @Nullable JsonNode optionalJson(byte @Nullable [] body) {
        return body == null || body.length == 0 ? null : json(body);
    }

    /** Fails with ERR_READ_REQ when the body is not UTF-8. */
    static String text(byte @Nullable [] body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body == null ? new byte[0] : body))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw FunctionsException.of(ErrorCode.ERR_READ_REQ, "The body is not text in UTF-8.");
        }
    }

    /** Returns a flag in the query, or null when it is not there; fails with ERR_INVALID_REQUEST. */
    static @Nullable Boolean flag(String name, @Nullable String value) {
        if (value == null || value.isEmpty()) {
            return null;
        }
        return switch (value) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default ->
                throw FunctionsException.of(
                        ErrorCode.ERR_INVALID_REQUEST, "%s must be true or false, not '%s'.".formatted(name, value));
        };
    }
}
