package io.millrace.n1ql.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What statements of an application may read, with the indexes that its authors made. */
class TravelReadsTest {

    private static final List<String> INDEXES = List.of(
            "def_type ON t(type)",
            "def_city ON t(city)",
            "def_faa ON t(faa)",
            "def_name_type ON t(name) WHERE _type = 'User'",
            "by_type_name ON t(type, name)",
            "airline_country ON t(country, name) WHERE type = 'airline'",
            "hotel_city ON t(city, name) WHERE type = 'hotel'",
            "landmark_city ON t(city, name) WHERE type = 'landmark'",
            "route_source ON t(sourceairport, destinationairport) WHERE type = 'route'",
            "route_source_stops ON t(sourceairport, stops) WHERE type = 'route'",
            "route_distance ON t(distance) WHERE type = 'route'",
            "route_airline ON t(airlineid) WHERE type = 'route'",
            "likes ON t(DISTINCT ARRAY l FOR l IN public_likes END) WHERE type = 'hotel'",
            "days ON t(DISTINCT ARRAY FLATTEN_KEYS(s.day, s.utc) FOR s IN schedule END) WHERE type = 'route'",
            "utc ON t(DISTINCT ARRAY s.utc FOR s IN schedule END) WHERE type = 'route'",
            "lower_name ON t(LOWER(name))",
            "by_country ON t(country)",
            "by_icao ON t(icao)",
            "pairs ON t(DISTINCT PAIRS({type, city, country, faa, name, sourceairport, distance, stops}))");

    /** More sets of indexes for each statement, from another seed, as properties: {@code -Dmillrace.n1ql.rounds=20}. */
    private static final int ROUNDS = Integer.getInteger("millrace.n1ql.rounds", 1);

    /** What a look-up costs, in keys. */
    private static final int LOOKUP = 4;

    private static final MemoryKeyspaces KEYSPACES = new MemoryKeyspaces();

    /** How many ranges of keys and entries have been asked for. */
    private static final AtomicLong LOOKUPS = new AtomicLong();

    private static MemoryKeyspace travel;

    @BeforeAll
    static void load() throws IOException {
        Path file = ConformanceTest.cases().resolve("../../data/travel-sample-subset.jsonl");
        assumeTrue(Files.exists(file), "the documents are not next to the repository");
        travel = KEYSPACES.create("t");
        for (String line : Files.readAllLines(file)) {
            ObjectValue entry = (ObjectValue) Objects.requireNonNull(Json.parse(line));
            travel.put(
                    ((StringValue) entry.get("id")).text(), entry.get("value").toJsonBytes());
        }
        QueryEngine engine = new QueryEngine(KEYSPACES, InstantSource.system());
        rows(engine, "CREATE PRIMARY INDEX ON t");
        INDEXES.forEach(index -> rows(engine, "CREATE INDEX " + index));
    }

    private static List<String> rows(QueryEngine engine, String statement) {
        List<String> rows = new ArrayList<>();
        try (Rows cursor = engine.execute(statement, QueryOptions.DEFAULT)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row.toJson());
            }
        }
        return rows;
    }

    /**
     * A statement, what it may read, and how many ranges of keys and entries it may ask for.
     *
     * @param rules the indexes that Couchbase's rules choose and hints, or what those read
     */
    private record Expected(long keys, long documents, long lookups, String statement, String rules) {

        /** Returns what the choice of Couchbase's rules reads. */
        Reads readsByRules() {
            String[] words = rules.split(" ");
            if (Character.isDigit(rules.charAt(0))) {
                return new Reads(number(words[0]), number(words[1]), number(words[2]), List.of());
            }
            List<String> hints =
                    Arrays.stream(words).filter(word -> word.endsWith(")")).toList();
            List<String> names =
                    Arrays.stream(words).filter(word -> !hints.contains(word)).toList();
            assertThat(withPrimary(names())).containsAll(names);
            String hinted = hints.isEmpty()
                    ? statement
                    : statement.replaceFirst("SELECT", "SELECT /*+ ORDERED %s */".formatted(String.join(" ", hints)));
            return reads(engine(names), hinted);
        }
    }

    private static long number(String text) {
        return Long.parseLong(text);
    }

    private static List<Expected> expected() throws IOException {
        try (InputStream in = TravelReadsTest.class.getResourceAsStream("travel-reads.n1ql")) {
            List<Expected> all = new ArrayList<>();
            String rules = "";
            for (String line :
                    new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                String[] parts = line.split(" +", 4);
                if (line.startsWith("= ")) {
                    rules = line.substring(2);
                } else if (!line.startsWith("--")) {
                    all.add(new Expected(number(parts[0]), number(parts[1]), number(parts[2]), parts[3], rules));
                }
            }
            return all;
        }
    }

    private record Reads(long keys, long documents, long lookups, List<String> rows) {

        long cost() {
            return keys + 8 * documents;
        }

        /** Also counts look-ups that find nothing. */
        long costWithLookups() {
            return cost() + LOOKUP * lookups;
        }

        boolean isMoreThan(Reads before) {
            return cost() > before.cost() || costWithLookups() > before.costWithLookups();
        }

        String figures() {
            return keys + " keys, " + documents + " documents and " + lookups + " look-ups";
        }
    }

    private static Reads reads(QueryEngine engine, String statement) {
        long keys = travel.scanned();
        long documents = travel.fetched();
        long before = LOOKUPS.get();
        List<String> rows = rows(engine, statement);
        Collections.sort(rows);
        return new Reads(travel.scanned() - keys, travel.fetched() - documents, LOOKUPS.get() - before, rows);
    }

    @Test
    void statements_readNoMoreThanTheyMay() throws IOException {
        QueryEngine engine = engine(withPrimary(names()));
        List<String> tooMuch = new ArrayList<>();
        for (Expected one : expected()) {
            Reads reads = reads(engine, one.statement());
            if (reads.keys() > one.keys() || reads.documents() > one.documents() || reads.lookups() > one.lookups()) {
                tooMuch.add(reads.keys() + " " + reads.documents() + " " + reads.lookups() + " " + one.statement()
                        + rows(engine, "EXPLAIN " + one.statement()));
            }
        }

        assertThat(tooMuch).isEmpty();
        assertThat(expected()).hasSizeGreaterThanOrEqualTo(60);
    }

    /** Couchbase has the same indexes, and chooses by its documented rules. */
    @Test
    void statements_readNoMoreThanByTheRulesOfCouchbase() throws IOException {
        QueryEngine engine = engine(withPrimary(names()));
        List<String> dearer = new ArrayList<>();
        for (Expected one : expected()) {
            Reads own = reads(engine, one.statement());
            Reads byRules = one.readsByRules();
            if (own.isMoreThan(byRules)) {
                dearer.add("%s instead of %s by %s: %s"
                        .formatted(own.figures(), byRules.figures(), one.rules(), one.statement()));
            }
        }

        assertThat(dearer).isEmpty();
    }

    private static List<String> names() {
        return INDEXES.stream().map(index -> index.split(" ")[0]).toList();
    }

    private static List<String> withPrimary(List<String> names) {
        return Stream.concat(names.stream(), Stream.of(IndexDefinition.PRIMARY_NAME))
                .toList();
    }

    /** Random sets of the indexes: the same rows, and one more index never costs more. */
    @Test
    void oneMoreIndex_neverCostsMore() throws IOException {
        Random random = new Random(Long.getLong("millrace.n1ql.seed", 5));
        List<String> dearer = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Expected one : expected()) {
                addOne(one.statement(), random, dearer);
            }
        }

        assertThat(dearer).isEmpty();
    }

    private static void addOne(String statement, Random random, List<String> dearer) {
        List<String> names = new ArrayList<>(names());
        Collections.shuffle(names, random);
        int number = random.nextInt(names.size());
        Reads without = reads(engine(withPrimary(names.subList(0, number))), statement);
        Reads with = reads(engine(withPrimary(names.subList(0, number + 1))), statement);

        if (!statement.contains("LIMIT 7")) {
            assertThat(with.rows()).as(statement).isEqualTo(without.rows());
        }
        if (with.isMoreThan(without)) {
            dearer.add("%s instead of %s: %s with %s added to %s"
                    .formatted(
                            with.figures(), without.figures(), statement, names.get(number), names.subList(0, number)));
        }
    }

    /** Returns an engine that sees some of the indexes, as if they had been created in this order. */
    private static QueryEngine engine(List<String> names) {
        Keyspace some = (Keyspace) Proxy.newProxyInstance(
                Keyspace.class.getClassLoader(), new Class<?>[] {Keyspace.class}, (proxy, method, args) -> {
                    Object answer = method.invoke(travel, args);
                    if (method.getName().equals("scan") || method.getName().startsWith("keys")) {
                        LOOKUPS.incrementAndGet();
                    }
                    return method.getName().equals("indexes")
                            ? travel.indexes().stream()
                                    .filter(index -> names.contains(index.name()))
                                    .sorted(Comparator.comparing(index -> names.indexOf(index.name())))
                                    .toList()
                            : answer;
                });
        return new QueryEngine(
                new KeyspaceStore() {
                    @Override
                    public Keyspace keyspace(KeyspaceName name) {
                        return some;
                    }

                    @Override
                    public List<KeyspaceName> names() {
                        return KEYSPACES.names();
                    }
                },
                InstantSource.system());
    }
}
