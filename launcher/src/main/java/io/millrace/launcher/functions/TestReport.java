package io.millrace.launcher.functions;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import tools.jackson.databind.JsonNode;

/** The results of tests as JUnit's XML, which CI systems read. */
final class TestReport {

    private static final String NOT_IN_XML = "[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]";

    private TestReport() {}

    /** @param results the lines of the program: cases, and mistakes that prevented them */
    static void write(Path file, List<JsonNode> results) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try (Writer out = Files.newBufferedWriter(file)) {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuites");
            Map<String, List<JsonNode>> suites = results.stream()
                    .collect(Collectors.groupingBy(
                            result -> result.path("function").asString()));
            for (Map.Entry<String, List<JsonNode>> suite : suites.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .toList()) {
                suite(xml, suite.getKey(), suite.getValue());
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException("The report cannot be written: " + e.getMessage(), e);
        }
    }

    private static void suite(XMLStreamWriter xml, String function, List<JsonNode> results) throws XMLStreamException {
        long errors = results.stream().filter(result -> result.has("mistake")).count();
        long passed = results.stream()
                .filter(result -> result.path("passed").asBoolean())
                .count();
        xml.writeStartElement("testsuite");
        xml.writeAttribute("name", clean(function));
        xml.writeAttribute("tests", Integer.toString(results.size()));
        xml.writeAttribute("failures", Long.toString(results.size() - passed - errors));
        xml.writeAttribute("errors", Long.toString(errors));
        for (JsonNode result : results) {
            xml.writeStartElement("testcase");
            xml.writeAttribute(
                    "classname", clean(function + "." + result.path("file").asString()));
            xml.writeAttribute("name", clean(result.path("name").asString("loading")));
            xml.writeAttribute("time", "%d.%03d".formatted(millis(result) / 1000, millis(result) % 1000));
            if (result.has("mistake")) {
                problem(xml, "error", mistake(result));
            } else if (!result.path("passed").asBoolean()) {
                problem(
                        xml,
                        "failure",
                        result.path("failures")
                                .valueStream()
                                .map(JsonNode::asString)
                                .collect(Collectors.joining("\n")));
            }
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    private static long millis(JsonNode result) {
        return result.path("millis").asLong();
    }

    /** Returns a mistake with its place, as compilers write it. */
    static String mistake(JsonNode result) {
        String place = result.path("line").asInt() > 0
                ? "%s:%d:%d: "
                        .formatted(
                                result.path("file").asString(),
                                result.path("line").asInt(),
                                result.path("column").asInt())
                : result.path("file").asString("").isEmpty()
                        ? ""
                        : result.path("file").asString() + ": ";
        return place + result.path("mistake").asString();
    }

    private static void problem(XMLStreamWriter xml, String element, String text) throws XMLStreamException {
        xml.writeStartElement(element);
        xml.writeAttribute("message", clean(text.lines().findFirst().orElse("")));
        xml.writeCharacters(clean(text));
        xml.writeEndElement();
    }

    private static String clean(String text) {
        return text.replaceAll(NOT_IN_XML, "?");
    }
}
