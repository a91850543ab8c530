package io.millrace.n1ql.function;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** HASHBYTES(): checksums and digests as hexadecimal text. */
final class HashFunctions {

    /** Names of the polynomials, lowest bit first. */
    private static final Map<String, Long> POLYNOMIALS = Map.of(
            "ieee", 0xEDB88320L,
            "castagnoli", 0x82F63B78L,
            "koopman", 0xEB31D82EL,
            "iso", 0xD800000000000000L,
            "ecma", 0xC96C5795D7870F42L);

    private static final Map<String, String> DIGESTS = Map.of(
            "md5", "MD5",
            "sha1", "SHA-1",
            "sha224", "SHA-224",
            "sha256", "SHA-256",
            "sha384", "SHA-384",
            "sha512", "SHA-512",
            "sha512/224", "SHA-512/224",
            "sha512/256", "SHA-512/256");

    private HashFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(1, 2, HashFunctions::hash, "hashbytes");
    }

    private static Value hash(Value[] args, FunctionContext context) {
        if (args[0].isUnknown() || args.length > 1 && !args[1].isObject() && !args[1].isString()) {
            return Args.unknown(args);
        }
        Value options = args.length > 1 ? args[1] : Value.MISSING;
        Value algorithm = options.isString() ? options : Args.option(options, "algorithm");
        if (!algorithm.isMissing() && !algorithm.isString()) {
            return Value.NULL;
        }
        String name = algorithm instanceof StringValue text ? text.text().toLowerCase(Locale.ROOT) : "sha256";
        byte[] input = args[0] instanceof StringValue text
                ? Args.utf8(text.text())
                : JsonFunctions.canonical(args[0]).toJsonBytes();
        return switch (name) {
            case "crc32" -> crc(input, options, "ieee", Integer.SIZE);
            case "crc64" -> crc(input, options, "iso", Long.SIZE);
            case "md4" -> Value.of(HexFormat.of().formatHex(Md4.digest(input)));
            default -> digest(input, DIGESTS.get(name));
        };
    }

    private static Value digest(byte[] input, @Nullable String algorithm) {
        if (algorithm == null) {
            return Value.NULL;
        }
        try {
            return Value.of(HexFormat.of()
                    .formatHex(MessageDigest.getInstance(algorithm).digest(input)));
        } catch (NoSuchAlgorithmException e) {
            return Value.NULL;
        }
    }

    private static Value crc(byte[] input, Value options, String byDefault, int bits) {
        Long polynomial = polynomial(Args.option(options, "polynomial"), byDefault);
        if (polynomial == null) {
            return Value.NULL;
        }
        long mask = bits == Long.SIZE ? -1L : (1L << bits) - 1;
        long crc = mask;
        for (byte b : input) {
            crc ^= b & 0xff;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ polynomial;
            }
        }
        return Value.of(HexFormat.of().toHexDigits(~crc & mask, bits / 4));
    }

    private static @Nullable Long polynomial(Value option, String byDefault) {
        if (option instanceof NumberValue number) {
            return number.longValue();
        }
        String name = option instanceof StringValue text ? text.text().toLowerCase(Locale.ROOT) : byDefault;
        if (name.matches("0x[0-9a-f]{1,16}")) {
            return Long.parseUnsignedLong(name.substring(2), 16);
        }
        return POLYNOMIALS.get(name);
    }
}
