package io.millrace.distribution;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The bill of materials in CycloneDX's JSON: what Maven says about all modules, reduced to what the distribution contains,
 * with Redis and Java.
 */
final class BillOfMaterials {

    /** A library that is in the distribution, but not in Maven's bill; its version is in the name of its file. */
    record Jar(String group, String name, String license) {}

    private final ObjectNode document;
    private final ArrayNode kept = JsonMapper.shared().createArrayNode();
    private final Set<String> references = new HashSet<>();

    /** Reads the document that the CycloneDX plugin wrote. */
    BillOfMaterials(String json) {
        this.document = (ObjectNode) JsonMapper.shared().readTree(json);
    }

    /**
     * Keeps the components of these jars.
     *
     * @param undeclared libraries that Maven does not know to be in the distribution
     * @throws DistributionException if a jar has no component: the bill would be incomplete
     */
    void keepOnly(List<String> jars, List<Jar> undeclared) {
        List<String> unexplained = new ArrayList<>(jars);
        for (JsonNode component : document.path("components")) {
            String name = component.path("name").asString();
            String version = component.path("version").asString();
            List<String> explained = jars.stream()
                    .filter(jar -> jar.equals(name + ".jar") || jar.matches(pattern(name, version)))
                    .toList();
            if (!explained.isEmpty()) {
                unexplained.removeAll(explained);
                keep((ObjectNode) component);
            }
        }
        unexplained.removeIf(file -> undeclared.stream().anyMatch(jar -> keepIfNamed(file, jar)));
        if (!unexplained.isEmpty()) {
            throw new DistributionException("The bill of materials does not have " + String.join(", ", unexplained)
                    + "; name the modules that bring them in the script's list of modules");
        }
    }

    /** Matches the jar of a version, also with a classifier. */
    private static String pattern(String name, String version) {
        return Pattern.quote(name + "-" + version) + "(-[^/]+)?\\.jar";
    }

    private boolean keepIfNamed(String file, Jar jar) {
        Matcher matcher =
                Pattern.compile(Pattern.quote(jar.name()) + "-(\\d.*)\\.jar").matcher(file);
        if (!matcher.matches()) {
            return false;
        }
        String purl = "pkg:maven/" + jar.group() + "/" + jar.name() + "@" + matcher.group(1) + "?type=jar";
        add("library", jar.name(), matcher.group(1), purl, jar.license());
        return true;
    }

    /** Adds a program that does not come from Maven. */
    void add(String name, String version, String license) {
        add("application", name, version, "pkg:generic/" + name + "@" + version, license);
    }

    private void add(String type, String name, String version, String purl, String license) {
        ObjectNode component = JsonMapper.shared()
                .createObjectNode()
                .put("type", type)
                .put("bom-ref", purl)
                .put("name", name)
                .put("version", version)
                .put("purl", purl);
        component.putArray("licenses").addObject().putObject("license").put("id", license);
        keep(component);
    }

    private void keep(ObjectNode component) {
        kept.add(component);
        references.add(component.path("bom-ref").asString());
    }

    /** Returns the document for the product in a version. */
    String json(String product, String version) {
        ObjectNode result = document.deepCopy();
        result.remove("serialNumber"); // random: the same distribution has the same bill
        ((ObjectNode) result.withObject("metadata")).remove("timestamp");
        String reference = "pkg:generic/" + product + "@" + version;
        result.withObject("metadata")
                .putObject("component")
                .put("type", "application")
                .put("bom-ref", reference)
                .put("name", product)
                .put("version", version)
                .put("purl", reference);
        result.set("components", kept);
        ArrayNode dependencies = result.putArray("dependencies");
        ArrayNode all = dependencies.addObject().put("ref", reference).putArray("dependsOn");
        references.stream().sorted().forEach(all::add);
        for (JsonNode dependency : document.path("dependencies")) {
            if (references.contains(dependency.path("ref").asString())) {
                ObjectNode one = dependencies
                        .addObject()
                        .put("ref", dependency.path("ref").asString());
                ArrayNode on = one.putArray("dependsOn");
                dependency.path("dependsOn").forEach(each -> {
                    if (references.contains(each.asString())) {
                        on.add(each.asString());
                    }
                });
            }
        }
        return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(result) + "\n";
    }
}
