package io.millrace.handler.requests;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path of the setting, such as {@code /parcels/{id}.json}. A name stands for a whole segment, or for one or more characters
 * of it; of several names in one segment, the first ones take as little as possible.
 */
record PathTemplate(List<Segment> segments) {

    /** The most concrete first, as OpenAPI has it. */
    static final Comparator<PathTemplate> MOST_CONCRETE =
            Comparator.comparingLong(PathTemplate::names).thenComparingLong(PathTemplate::openSegments);

    private static final Pattern NAME = Pattern.compile("\\{([^{}]+)}");

    /**
     * @param texts what stands before, between and after the names; one text more than names
     * @param names the parameters
     */
    private record Segment(List<String> texts, List<String> names) {

        static Segment of(String template) {
            List<String> texts = new ArrayList<>();
            List<String> names = new ArrayList<>();
            Matcher name = NAME.matcher(template);
            int end = 0;
            while (name.find()) {
                texts.add(template.substring(end, name.start()));
                names.add(name.group(1));
                end = name.end();
            }
            texts.add(template.substring(end));
            return new Segment(texts, names);
        }

        /** Adds the values that the names have in a segment of a request; false if the segment does not fit. */
        boolean read(String given, Map<String, String> values) {
            if (names.isEmpty()) {
                return given.equals(texts.getFirst());
            }
            if (isOpen()) {
                values.put(names.getFirst(), given);
                return true;
            }
            int last = given.length() - texts.getLast().length();
            int from = texts.getFirst().length();
            if (!given.startsWith(texts.getFirst()) || !given.endsWith(texts.getLast())) {
                return false;
            }
            for (int i = 0; i < names.size(); i++) {
                String next = texts.get(i + 1);
                int to = i == names.size() - 1 ? last : given.indexOf(next, from + 1);
                if (to <= from || to > last) {
                    return false;
                }
                values.put(names.get(i), given.substring(from, to));
                from = to + next.length();
            }
            return true;
        }

        /** Returns whether the whole segment is one name. */
        boolean isOpen() {
            return names.size() == 1 && texts.stream().allMatch(String::isEmpty);
        }
    }

    static PathTemplate of(String path) {
        return new PathTemplate(
                Arrays.stream(path.split("/", -1)).skip(1).map(Segment::of).toList());
    }

    private long names() {
        return segments.stream().mapToLong(segment -> segment.names().size()).sum();
    }

    private long openSegments() {
        return segments.stream().filter(Segment::isOpen).count();
    }

    /** Returns the values of the names in the path of a request, decoded; nothing if it does not fit. */
    Optional<Map<String, String>> values(List<String> given) {
        if (given.size() != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < given.size(); i++) {
            if (!segments.get(i).read(given.get(i), values)) {
                return Optional.empty();
            }
        }
        return Optional.of(values);
    }
}
