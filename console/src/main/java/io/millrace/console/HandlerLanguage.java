package io.millrace.console;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What handlers may use, for the editor: the declarations of {@code millrace.d.ts}, which every directory of a function has, as
 * tables. A global or a member that is not declared there is neither offered nor known.
 */
final class HandlerLanguage {

    /** The interface that declares the handlers. */
    private static final String HANDLERS = "Handlers";

    private final ArrayNode globals = JsonNodeFactory.instance.arrayNode();
    private final ObjectNode members = JsonNodeFactory.instance.objectNode();
    private final ObjectNode handlers = JsonNodeFactory.instance.objectNode();

    private HandlerLanguage() {}

    /** @param documentation what {@code deno doc --json --private} says about the declarations */
    static String read(String documentation) throws IOException {
        JsonNode declarations = JsonMapper.shared().readTree(documentation).path("nodes");
        HandlerLanguage language = new HandlerLanguage();
        Set<String> arguments = new TreeSet<>();
        declarations.forEach(declared -> {
            if (name(declared).equals(HANDLERS)) {
                declared.at("/interfaceDef/methods").forEach(handler -> arguments.addAll(language.handler(handler)));
            }
        });
        if (arguments.isEmpty()) {
            throw new IOException("millrace.d.ts has no interface " + HANDLERS + " that names the types of arguments");
        }
        declarations.forEach(declared -> language.add(declared, arguments));
        return """
                import type { KnownLanguage } from '../src/ui/editor/members';

                type Tables = Omit<KnownLanguage, 'says'>;

                export const GLOBALS: Tables['members'][string] = %s;
                export const MEMBERS: Tables['members'] = %s;
                export const ARGUMENTS: Tables['arguments'] = %s;
                """.formatted(language.globals, language.members, language.handlers);
    }

    /** Adds the types of the arguments of a handler, null for those without a declaration; returns them. */
    private Set<String> handler(JsonNode handler) {
        ArrayNode types = handlers.putArray(name(handler));
        handler.path("params")
                .forEach(parameter ->
                        types.add(parameter.at("/tsType/typeRef/typeName").asString(null)));
        return types.valueStream()
                .filter(JsonNode::isString)
                .map(JsonNode::asString)
                .collect(Collectors.toSet());
    }

    private void add(JsonNode declared, Set<String> arguments) {
        String name = name(declared);
        switch (declared.path("kind").asString()) {
            case "function" -> globals.add(entry(declared, "function", declared.at("/functionDef/params")));
            case "class" -> globals.add(entry(declared, "class", declared.at("/classDef/constructors/0/params")));
            case "variable" -> {
                globals.add(entry(declared, "variable", null));
                addMembers(name, declared.at("/variableDef/tsType/typeLiteral"));
            }
            case "interface" -> {
                if (arguments.contains(name)) {
                    addMembers(name, declared.path("interfaceDef"));
                }
            }
            default -> {}
        }
    }

    private void addMembers(String path, JsonNode type) {
        ArrayNode listed = JsonNodeFactory.instance.arrayNode();
        type.path("properties").forEach(property -> {
            JsonNode is = property.path("tsType");
            boolean callable = is.path("kind").asString().equals("typeQuery");
            listed.add(entry(property, callable ? "method" : "property", null));
            if (is.has("typeLiteral")) {
                addMembers(path + '.' + name(property), is.path("typeLiteral"));
            }
        });
        type.path("methods").forEach(method -> listed.add(entry(method, "method", method.path("params"))));
        if (!listed.isEmpty()) {
            members.set(path, listed);
        }
    }

    /** @param parameters of what can be called, null for other declarations */
    private static ObjectNode entry(JsonNode declared, String type, @Nullable JsonNode parameters) {
        ObjectNode entry = JsonNodeFactory.instance
                .objectNode()
                .put("label", name(declared))
                .put("type", type);
        if (parameters != null && !parameters.isEmpty()) {
            entry.put(
                    "detail",
                    parameters
                            .valueStream()
                            .map(HandlerLanguage::parameter)
                            .collect(Collectors.joining(", ", "(", ")")));
        }
        String said = declared.at("/jsDoc/doc").asString("");
        if (!said.isEmpty()) {
            entry.put("info", said.replace('\n', ' '));
        }
        return entry;
    }

    private static String parameter(JsonNode parameter) {
        return parameter.path("kind").asString().equals("rest")
                ? "..." + parameter.at("/arg/name").asString()
                : name(parameter) + (parameter.path("optional").asBoolean() ? "?" : "");
    }

    private static String name(JsonNode declared) {
        return declared.path("name").asString("");
    }
}
