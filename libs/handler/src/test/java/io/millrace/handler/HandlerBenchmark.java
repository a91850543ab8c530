package io.millrace.handler;

import io.millrace.handler.HandlerSpec.Access;
import io.millrace.handler.HandlerSpec.Alias;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints invocations per second of processor time of the whole process, compiler and collector included, for a document
 * of 1 KB unless the workload's name says otherwise. Arguments: seconds per workload (default 30), {@code view},
 * {@code strict} or {@code both}, then the workloads to run (default all).
 */
final class HandlerBenchmark {
    private static final String SETUP = "function OnDelete() {}\n";
    private static final String TWO =
            "function OnUpdate(doc, meta) { if (doc.type === 'nothing' && doc.count > 0) log('x'); }";
    private static final String ALL = """
        function OnUpdate(doc, meta) { if (sum(doc) === 0) log('x'); }
        function sum(value) {
          if (typeof value === 'string') return value.length;
          if (typeof value !== 'object' || value === null) return 1;
          let all = 0;
          if (Array.isArray(value)) {
            for (const element of value) all += sum(element);
          } else {
            for (const name of Object.keys(value)) all += sum(value[name]);
          }
          return all;
        }
        """;
    private static final int DOCUMENTS = 100;
    private static final Map<String, String> WORKLOADS = new LinkedHashMap<>();

    static {
        WORKLOADS.put("empty", "function OnUpdate(doc, meta) {}");
        WORKLOADS.put("look", "function OnUpdate(doc, meta) { if (doc.type === 'nothing' && doc.country) log('x'); }");
        WORKLOADS.put(
                "change",
                "function OnUpdate(doc, meta) { doc.type = 'seen'; doc.reviews = doc.reviews + 1; doc.checked = true;"
                        + " b[meta.id] = doc; }");
        WORKLOADS.put(
                "spread",
                "function OnUpdate(doc, meta) { b[meta.id] = {...doc, seen: true, count: doc.reviews + 1}; }");
        WORKLOADS.put(
                "build",
                "function OnUpdate(doc, meta) { let score = 0; for (const tag of doc.tags) score += tag.length;"
                        + " b[meta.id] = {id: meta.id, name: doc.name, score, geo: {lat: doc.geo.lat, lon: doc.geo.lon},"
                        + " status: score > 10 ? 'high' : 'low'}; }");
        WORKLOADS.put(
                "read",
                "function OnUpdate(doc, meta) { const other = b['other']; b[meta.id] = other; log(other.name); }");
        for (String size : List.of("0.2", "1", "10", "100")) {
            WORKLOADS.put("two-" + size, TWO);
            WORKLOADS.put("all-" + size, ALL);
        }
        WORKLOADS.put("names", ALL);
        WORKLOADS.put("throw", "function OnUpdate(doc, meta) { throw new Error('no ' + meta.id); }");
    }

    private HandlerBenchmark() {}

    public static void main(String[] arguments) {
        int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 30;
        String mode = arguments.length > 1 ? arguments[1] : "both";
        var names = arguments.length > 2 ? List.of(arguments).subList(2, arguments.length) : WORKLOADS.keySet();
        try (var engine = HandlerEngine.start(System.err::println)) {
            System.out.println(engine.runtime().describe());
            for (var name : names) {
                if (!mode.equals("strict")) {
                    measure(engine, name, false, seconds);
                }
                if (!mode.equals("view")) {
                    measure(engine, name, true, seconds);
                }
            }
        }
    }

    /** Returns the documents of a workload. */
    private static List<byte[]> documents(String name) {
        var documents = new ArrayList<byte[]>();
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(document(name, i));
        }
        return documents;
    }

    private static byte[] document(String name, int number) {
        int dash = name.indexOf('-');
        if (dash < 0 && !name.equals("names")) {
            return OneDocument.TEXT;
        }
        double kib = dash < 0 ? 1 : Double.parseDouble(name.substring(dash + 1));
        var text = new StringBuilder("{\"type\":\"order\",\"count\":17,\"customer\":\"c-%06d\",".formatted(number));
        for (int i = 0; text.length() < kib * 1024 - 100; i++) {
            text.append(
                    dash < 0
                            ? "\"member-%d-%d\":{\"amount\":%d},".formatted(number, i, i)
                            : "\"detail%d\":{\"title\":\"a field\",\"amount\":%d,\"open\":true,\"tags\":[\"one\",\"two\"],\"ratio\":0.25},"
                                    .formatted(i, 1000 + i));
        }
        return text.append("\"last\":null}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void measure(HandlerEngine engine, String name, boolean strict, int seconds) {
        var spec = new HandlerSpec(
                name,
                SETUP + WORKLOADS.get(name),
                List.of("'use strict';"),
                List.of(),
                Duration.ofSeconds(60),
                1L << 30,
                strict,
                LanguageCompatibility.V7_2_0,
                List.of(new Alias("b", Access.READ_WRITE)));
        var handler = (Handler) engine.compile(spec);
        var documents = documents(name);
        HandlerEngine.onBigStack("benchmark", () -> {
            try (var thread = handler.open(new OneDocument())) {
                var line = new StringBuilder("%-8s %-6s".formatted(name, strict ? "strict" : "view"));
                for (int window = 0; window < 5; window++) {
                    line.append(" %7.0f"
                            .formatted(rate(
                                    thread,
                                    documents,
                                    Duration.ofSeconds(seconds).dividedBy(5))));
                }
                System.out.println(line);
            }
            return "";
        });
    }

    private static double rate(HandlerThread thread, List<byte[]> documents, Duration window) {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long end = cpu + window.toNanos();
        long count = 0;
        while (system.getProcessCpuTime() < end) {
            for (int i = 0; i < DOCUMENTS; i++) {
                var meta = new EventMeta("travel", "_default", "_default", "hotel_" + i, count, i, count, 0, 0, false);
                thread.onUpdate(meta, documents.get(i).clone(), null);
                count++;
            }
        }
        return count * 1e9 / (system.getProcessCpuTime() - cpu);
    }

    private static final class OneDocument extends MemoryHost {
        static final byte[] TEXT = """
            {"type":"hotel","id":10025,"name":"Medway Youth Hostel","title":"Gillingham (Kent)","country":"United Kingdom",\
            "address":"Capstone Road, ME7 3JE","directions":null,"phone":"+44 870 770 5964","tollfree":null,"email":null,\
            "fax":null,"url":"http://www.yha.org.uk","checkin":null,"checkout":null,"price":null,"reviews":17,\
            "geo":{"lat":51.35785,"lon":0.55818,"accuracy":"RANGE_INTERPOLATED"},"vacancy":true,"pets_ok":true,\
            "free_breakfast":true,"free_internet":false,"free_parking":true,"tags":["hostel","youth","budget","kent"],\
            "description":"40 bed summer hostel about 3 miles from Gillingham, housed in a districtive converted Oast \
            House in a semi-rural setting. It is open to everybody who looks for a quiet place, with or without a car, \
            and keeps a kitchen for those who cook for themselves.","ratings":{"service":5,"cleanliness":4,"value":3.5,\
            "overall":4.25},"public_likes":["Julius Tromp I","Corrine Hilll","Jaeden McKenzie","Vallie Ryan"]}\
            """.getBytes(StandardCharsets.UTF_8);
        long written;

        @Override
        public @Nullable StoredDocument get(String alias, String id) {
            return new StoredDocument(TEXT, false);
        }

        @Override
        public void upsert(String alias, String id, StoredDocument document) {
            written += document.body().length;
        }

        @Override
        public boolean delete(String alias, String id, boolean mustExist) {
            return true;
        }

        @Override
        public void log(LogLevel level, String line) {
            written += line.length();
        }
    }
}
