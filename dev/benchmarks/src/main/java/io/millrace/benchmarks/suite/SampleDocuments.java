package io.millrace.benchmarks.suite;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Orders of about 1 KB, the same for the same number. */
public final class SampleDocuments {

    private static final String[] WORDS =
            "river mill race wheel stone grain flour sluice weir pond lever shaft gear cog axle".split(" ", -1);

    private SampleDocuments() {}

    public static String id(int number) {
        return "order::" + number;
    }

    /** Returns a document that carries the time at which it was made, in milliseconds since 1970. */
    public static byte[] body(int number, long madeAtMillis) {
        Random random = new Random(number);
        StringBuilder json = new StringBuilder(1100);
        json.append("{\"type\":\"order\",\"number\":").append(number);
        json.append(",\"madeAt\":").append(madeAtMillis);
        json.append(",\"customer\":{\"name\":\"").append(words(random, 3));
        json.append("\",\"rating\":").append(random.nextInt(100)).append("},\"items\":[");
        for (int i = 0; i < 6; i++) {
            json.append(i == 0 ? "" : ",").append("{\"sku\":\"SKU-").append(random.nextInt(1_000_000));
            json.append("\",\"name\":\"").append(words(random, 6));
            json.append("\",\"price\":").append(random.nextInt(1, 500)).append(".25,\"quantity\":");
            json.append(random.nextInt(1, 10)).append(",\"tags\":[\"").append(words(random, 1));
            json.append("\",\"").append(words(random, 1)).append("\"],\"active\":true}");
        }
        return json.append("]}").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a document of about a size, and at least of the shortest one, 60 bytes. */
    public static byte[] ofSize(int number, int bytes) {
        Random random = new Random(number);
        StringBuilder json = new StringBuilder(bytes + 64);
        json.append("{\"type\":\"order\",\"number\":").append(number).append(",\"lines\":[\"");
        json.append(words(random, 2)).append('"');
        while (json.length() < bytes - 48) {
            json.append(",\"").append(words(random, 8)).append('"');
        }
        return json.append("]}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String words(Random random, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append(WORDS[random.nextInt(WORDS.length)]);
        }
        return text.toString();
    }
}
