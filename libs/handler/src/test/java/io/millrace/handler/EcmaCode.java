package io.millrace.handler;

import io.millrace.handler.EcmaCases.Case;
import java.util.List;

/**
 * A function whose OnUpdate runs the cases from number {@code meta.vb} on, on a document and on what JSON.parse makes of
 * its text, and logs differences.
 */
final class EcmaCode {
    private static final String HARNESS = """
        function with_(x) { return [x.x, x.length, x[0]].map(String); }
        function structured(x) { return typeof structuredClone === 'undefined' ? 'none' : structuredClone(x); }

        /** Returns all that code can find out about a value. */
        function shown(value, seen) {
          switch (typeof value) {
            case 'object':
              return value === null ? 'null' : shownObject(value, seen);
            case 'function':
              return `function ${value.name}`;
            case 'symbol':
              return value.toString();
            default:
              return `${typeof value} ${Object.is(value, -0) ? '-0' : JSON.stringify(value, big)}`;
          }
        }
        function big(key, value) { return typeof value === 'bigint' ? `${value}` : value; }

        function shownObject(value, seen) {
          const at = seen.indexOf(value);
          if (at >= 0) return `#${at}`;
          seen.push(value);
          let text = Array.isArray(value) ? 'array' : Object.prototype.toString.call(value);
          const prototype = Object.getPrototypeOf(value);
          text += `:${NAMES.get(prototype) ?? shown(prototype, seen)}`;
          text += Object.isExtensible(value) ? '{' : '!{';
          for (const key of Reflect.ownKeys(value)) {
            const property = Object.getOwnPropertyDescriptor(value, key);
            text += `${String(key)}${property.enumerable ? 'e' : ''}${property.configurable ? 'c' : ''}`;
            text += 'value' in property
                ? `${property.writable ? 'w' : ''}=${shown(property.value, seen)},`
                : `=${shown(property.get, seen)}/${shown(property.set, seen)},`;
          }
          return text + '}';
        }

        function steps(result) {
          return typeof result?.next === 'function' ? [...result] : result;
        }

        function observed([about, body], v) {
          const seen = [];
          const kept = about(v);
          let result;
          try {
            result = steps(body(v, seen));
          } catch (e) {
            result = e instanceof Error ? `threw ${e.name}: ${e.message}` : e;
          }
          return shown([kept, result, seen], []);
        }

        function OnUpdate(doc, meta) {
          CASES ??= cases();
          const {text} = b.expected;
          const end = Math.min(meta.vb + STEP, CASES.length);
          for (let i = meta.vb; i < end; i++) {
            for (let round = 0; round < ROUNDS; round++) {
              try {
                steps(CASES[i][1](b.sample, []));
              } catch (e) {
                // compared below
              }
            }
            const found = observed(CASES[i], b.sample);
            const expected = observed(CASES[i], JSON.parse(text));
            if (found !== expected) log(`${CASES[i][1]}\\n found ${found}\\n  not ${expected}`);
          }
          log('cases', end);
        }
        """;

    /** How many cases one invocation runs. */
    static final int STEP = 100;

    private EcmaCode() {}

    /**
     * Returns what the code needs before its functions.
     *
     * @param rounds how often each case is done on a document before it is compared
     */
    static List<String> headers(int rounds) {
        return List.of(
                "'use strict';",
                "const NAMES = new Map([[Object.prototype, 'Object'], [Array.prototype, 'Array'], [null, 'null']]);",
                "const STEP = " + STEP + ";",
                "const ROUNDS = " + rounds + ";",
                "let CASES;");
    }

    /** Returns the document that holds a text for {@code JSON.parse}. */
    static String expected(String text) {
        return "{\"text\":\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"}";
    }

    /**
     * Returns code that reads the document from {@code b.sample} and its text from {@code b.expected.text}.
     *
     * @param name the function of each case is named so, with the number of the case behind it
     */
    static String of(List<Case> cases, String name) {
        var code = new StringBuilder("function cases() { return [\n");
        for (int i = 0; i < cases.size(); i++) {
            Case one = cases.get(i);
            code.append("[(v) => %s, function %s%d(v, seen) { %s; }],%n".formatted(one.value(), name, i, one.body()));
        }
        return code.append("]; }\n").append(HARNESS).toString();
    }
}
