package io.millrace.browsertests;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.openqa.selenium.chrome.ChromeDriver;
import tools.jackson.databind.json.JsonMapper;

/** The check of a page by axe-core. */
final class Accessibility {

    /** Whose findings depend on colours; ScreensIT holds that nothing else differs between the themes. */
    private static final List<String> RULES_OF_COLOURS = List.of("color-contrast", "link-in-text-block");

    /**
     * Without a list of rules all are run that axe-core has turned on. It would load and parse the style sheets again each time,
     * for a rule that is not among them; those about sound and pictures that move need what the option names.
     */
    private static final String RUN = """
            const [rules, done] = arguments;
            axe.run(document, {
              resultTypes: ['violations'],
              preload: {assets: ['media']},
              ...(rules.length === 0 ? {} : {runOnly: {type: 'rule', values: rules}}),
            }).then(
              ({violations}) => done(JSON.stringify(violations.map((v) =>
                [v.id, v.help, ...v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + ' ' + n.any.map((c) => c.message).join(' '))].join(' | ')))),
              (error) => done(JSON.stringify([String(error)])));
            """;

    private static final String LIBRARY = library();

    private final ChromeDriver driver;

    Accessibility(ChromeDriver driver) {
        this.driver = driver;
    }

    private static String library() {
        try (InputStream file = Objects.requireNonNull(Accessibility.class.getResourceAsStream("/axe.min.js"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is wrong with the page: rule, help and elements. */
    List<String> violations() {
        return violations(List.of());
    }

    /** What is wrong with the colours of a page whose other findings are known. */
    List<String> violationsOfColours() {
        return violations(RULES_OF_COLOURS);
    }

    private List<String> violations(List<String> rules) {
        if (Boolean.TRUE.equals(driver.executeScript("return window.axe?.run === undefined;"))) {
            driver.executeScript(LIBRARY);
        }
        List<String> violations = new ArrayList<>();
        JsonMapper.shared()
                .readTree(String.valueOf(driver.executeAsyncScript(RUN, rules)))
                .forEach(one -> violations.add(one.asString()));
        return violations;
    }
}
