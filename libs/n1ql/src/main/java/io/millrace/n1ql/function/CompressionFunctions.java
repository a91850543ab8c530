package io.millrace.n1ql.function;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.StatementLimits;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Strings in the format of zlib (RFC 1950), written as base64. */
final class CompressionFunctions {

    private static final int BUFFER_BYTES = 8192;

    private CompressionFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(1, 1, Args.ofString(CompressionFunctions::compress), "compress");
        registrar.add(1, 1, CompressionFunctions::uncompress, "uncompress");
    }

    private static Value compress(String text) {
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(Args.utf8(text));
            deflater.finish();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            while (!deflater.finished()) {
                out.write(buffer, 0, deflater.deflate(buffer));
            }
            return Value.of(Base64.getEncoder().encodeToString(out.toByteArray()));
        } finally {
            deflater.end();
        }
    }

    private static Value uncompress(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof StringValue text)) {
            return Args.unknown(args);
        }
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(Base64.getDecoder().decode(text.text()));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            while (!inflater.finished()) {
                int count = inflater.inflate(buffer);
                if (count == 0 && !inflater.finished()) {
                    return Value.NULL; // truncated
                }
                out.write(buffer, 0, count);
                if (out.size() > StatementLimits.MAX_RESULT_LENGTH) {
                    throw QueryException.of(ErrorCode.RANGE, "Out of range evaluating UNCOMPRESS().");
                }
                context.check();
            }
            return Value.of(out.toString(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | DataFormatException e) {
            return Value.NULL;
        } finally {
            inflater.end();
        }
    }
}
