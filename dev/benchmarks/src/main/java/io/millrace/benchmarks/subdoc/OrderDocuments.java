package io.millrace.benchmarks.subdoc;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** The measured documents: orders of three sizes, and two with only a string or only numbers before the target. */
final class OrderDocuments {

    private static final int SEED = 20_539;
    private static final int MIXED_BYTES = 20_000;

    private OrderDocuments() {}

    /** Returns the document of a size: small, medium, large, text or numbers. */
    static byte[] of(String size) {
        String document = switch (size) {
            case "small" -> order(items("small"));
            case "medium" -> order(items("medium"));
            case "large" -> order(items("large"));
            case "text" -> "{\"text\":\"" + "lorem ipsum ".repeat(MIXED_BYTES / 12) + "\"," + tail() + "}";
            case "numbers" -> "{\"numbers\":[" + numbers() + "]," + tail() + "}";
            default -> throw new IllegalArgumentException("Unknown size " + size);
        };
        return document.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the number of items of an order of a size. */
    static int items(String size) {
        return switch (size) {
            case "small" -> 8;
            case "medium" -> 147;
            case "large" -> 7377;
            default -> 0;
        };
    }

    private static String order(int items) {
        Random random = new Random(SEED);
        StringBuilder text = new StringBuilder(items * 150 + 200);
        text.append("{\"type\":\"order\",\"head\":{\"a\":{\"b\":{\"c\":1}}},\"items\":[");
        for (int i = 0; i < items; i++) {
            text.append(i == 0 ? "" : ",")
                    .append("{\"id\":%d,\"sku\":\"SKU-%06d\",\"name\":\"Item number %d\",\"price\":%d.%02d,\"qty\":%d,"
                            .formatted(
                                    i,
                                    random.nextInt(1_000_000),
                                    i,
                                    random.nextInt(500),
                                    random.nextInt(100),
                                    random.nextInt(20)))
                    .append("\"tags\":[\"t%d\",\"t%d\",\"t%d\"],\"dim\":{\"w\":%d,\"h\":%d},\"active\":true}"
                            .formatted(
                                    random.nextInt(50),
                                    random.nextInt(50),
                                    random.nextInt(50),
                                    random.nextInt(100),
                                    random.nextInt(100)));
        }
        return text.append("],\"counter\":1,").append(tail()).append('}').toString();
    }

    private static String tail() {
        return "\"tail\":{\"x\":{\"y\":{\"z\":\"end\"}}}";
    }

    private static String numbers() {
        Random random = new Random(SEED);
        StringBuilder text = new StringBuilder(MIXED_BYTES + 10).append('0');
        while (text.length() < MIXED_BYTES) {
            text.append(',').append(random.nextInt(1000));
        }
        return text.toString();
    }
}
