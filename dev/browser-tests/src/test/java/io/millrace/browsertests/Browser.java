package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.ThrowingRunnable;
import org.awaitility.pollinterval.IterativePollInterval;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import tools.jackson.databind.json.JsonMapper;

/** One page in the browser. What it is asked for is waited for; nothing sleeps. */
final class Browser {

    static final int NARROW = 390;
    static final int WIDE = 1440;

    private static final int HEIGHT = 900;
    private static final int MOST_TABS = 120;
    private static final Duration FIRST_POLL = Duration.ofMillis(20);
    private static final Duration SLOWEST_POLL = Duration.ofMillis(250);

    /** {@code -Dmillrace.pictures=true} keeps a picture of each look. */
    private static final boolean PICTURES_OF_ALL = Boolean.getBoolean("millrace.pictures");

    /** Finds what can be operated by the name that a screen reader says; an open dialog hides what is behind it. */
    private static final String NAMED = """
            const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
            const nameOf = (e) =>
              (e.getAttribute('aria-label') ?? e.labels?.[0]?.innerText ?? e.innerText ?? '').trim().split('\\n')[0];
            const deep = (e) => e?.shadowRoot?.activeElement ?? e;
            const editors = () => [...place.querySelectorAll('.code')].flatMap((e) => e.shadowRoot?.querySelector('.cm-content') ?? []);
            const named = (name) => [...place.querySelectorAll('a,button,input,select,textarea,summary,[role=option]'), ...editors()]
              .find((e) => nameOf(e) === name && e.getClientRects().length > 0);
            """;

    /** The first characters of {@link #FOCUSED} in an editor; elsewhere there are as many spaces. */
    private static final String EDITOR = "editor ";

    private static final String FOCUSED =
            "const e = document.activeElement; return (e?.shadowRoot ? 'editor ' : '       ') + nameOf(deep(e));";

    private final ChromeDriver driver;
    private final String origin;
    private final Accessibility accessibility;

    Browser(ChromeDriver driver, String origin) {
        this.driver = driver;
        this.origin = origin;
        this.accessibility = new Accessibility(driver);
        driver.manage().timeouts().scriptTimeout(Store.PATIENCE);
        shape(WIDE, false);
    }

    /** Sets the width of the page and whether the system prefers dark colours. */
    void shape(int width, boolean dark) {
        shape(width, HEIGHT, dark);
    }

    void shape(int width, int height, boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
        // the script of the console takes up a change of the theme a moment later
        String taken = "return (document.documentElement.dataset.theme ?? arguments[0]) === arguments[0];";
        await().atMost(Store.PATIENCE)
                .pollDelay(Duration.ZERO)
                .until(() -> Boolean.TRUE.equals(run(taken, dark ? "dark" : "light")));
    }

    void quit() {
        driver.quit();
    }

    void open(String path) {
        driver.get(origin + path);
    }

    /** Opens a page of another origin. */
    void visit(String url) {
        driver.get(url);
    }

    String address() {
        return driver.getCurrentUrl().substring(origin.length());
    }

    void logIn() {
        open("/login.html?next=/console/");
        focus("User");
        type(Store.LOGIN.user());
        focus("Password");
        type(Store.LOGIN.password());
        press(Keys.ENTER);
        awaitText("h1", "Home");
    }

    /** Sets the time zone of the browser; "" for that of the machine. */
    void place(String zone) {
        driver.executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", zone));
    }

    /** Empties the cache: the next page is loaded as in a new browser. */
    void forgetPages() {
        driver.executeCdpCommand("Network.clearBrowserCache", Map.of());
    }

    /** Lets requests of the page fail whose addresses fit; {@code *} stands for anything. */
    void block(String... addresses) {
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand("Network.setBlockedURLs", Map.of("urls", List.of(addresses)));
    }

    void forgetLogin() {
        driver.manage().deleteAllCookies();
    }

    /** Opens a page in so many further tabs, and returns to the first one. */
    void openTabs(String path, int count) {
        String first = driver.getWindowHandle();
        for (int i = 0; i < count; i++) {
            driver.switchTo().newWindow(WindowType.TAB);
            open(path);
        }
        driver.switchTo().window(first);
    }

    /** The text of the first element that the selector finds, in each tab; the present tab stays. */
    List<String> textInEachTab(String selector) {
        String present = driver.getWindowHandle();
        List<String> texts = driver.getWindowHandles().stream()
                .map(tab -> {
                    driver.switchTo().window(tab);
                    return text(selector);
                })
                .toList();
        driver.switchTo().window(present);
        return texts;
    }

    /** Opens a page in another tab, and closes that again. */
    void inAnotherTab(String path, Runnable action) {
        String present = driver.getWindowHandle();
        driver.switchTo().newWindow(WindowType.TAB);
        try {
            open(path);
            action.run();
        } finally {
            driver.close();
            driver.switchTo().window(present);
        }
    }

    /** Closes all tabs but the present one. */
    void closeOtherTabs() {
        String present = driver.getWindowHandle();
        for (String tab : driver.getWindowHandles()) {
            if (!tab.equals(present)) {
                driver.switchTo().window(tab).close();
            }
        }
        driver.switchTo().window(present);
    }

    // -- what is shown

    @Nullable
    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** The text of the first element that the selector finds; empty without one. */
    String text(String selector) {
        return String.valueOf(
                run("const e = document.querySelector(arguments[0]); return e === null ? '' : e.innerText;", selector));
    }

    long count(String selector) {
        return ((Number)
                        Objects.requireNonNull(run("return document.querySelectorAll(arguments[0]).length;", selector)))
                .longValue();
    }

    /** Looks often at first and then less often: each look costs the browser time that the page needs. */
    private static void patiently(ThrowingRunnable assertion) {
        await().atMost(Store.PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(IterativePollInterval.iterative(Browser::later, FIRST_POLL))
                .untilAsserted(assertion);
    }

    private static Duration later(Duration poll) {
        Duration next = poll.multipliedBy(3).dividedBy(2);
        return next.compareTo(SLOWEST_POLL) < 0 ? next : SLOWEST_POLL;
    }

    /** Waits for a text; a failure says what the page has instead, or the dialog in front of it. */
    void awaitText(String selector, String text) {
        try {
            patiently(() -> assertThat(text(selector)).contains(text));
        } catch (ConditionTimeoutException e) {
            String inFront = text("dialog[open]");
            throw new AssertionError(
                    e.getMessage() + "\non a page with:\n" + (inFront.isEmpty() ? text("body") : inFront), e);
        }
    }

    void awaitNoText(String selector, String text) {
        patiently(() -> assertThat(text(selector)).doesNotContain(text));
    }

    void awaitCount(String selector, long count) {
        patiently(() -> assertThat(count(selector)).as(selector).isEqualTo(count));
    }

    /** Waits until what is typed goes to an element or to one in it. */
    void awaitFocusIn(String selector) {
        patiently(() -> assertThat(run("return document.activeElement?.closest(arguments[0]) != null", selector))
                .as("focus in %s", selector)
                .isEqualTo(true));
    }

    void awaitGone(String selector) {
        awaitCount(selector, 0);
    }

    /** Waits until the page has loaded what it shows at first. */
    void awaitLoaded() {
        patiently(() -> assertThat(run("return document.readyState === 'complete'"
                        + " && document.querySelector('h1') !== null"
                        + " && document.querySelector('.skeleton') === null"
                        + " && [...document.querySelectorAll('.code')].every((e) => e.shadowRoot !== null)"))
                .as("loaded %s", address())
                .isEqualTo(true));
    }

    // -- what a person does

    void click(String name) {
        patiently(() -> assertThat(run(
                        NAMED
                                + "const e = named(arguments[0]); if (!e || e.disabled || e.ariaDisabled === 'true') return false; e.click(); return true;",
                        name))
                .as("a control named %s on %s", name, address())
                .isEqualTo(true));
    }

    void focus(String name) {
        patiently(() -> assertThat(
                        run(NAMED + "const e = named(arguments[0]); e?.focus(); return e !== undefined;", name))
                .as("a control named %s on %s", name, address())
                .isEqualTo(true));
    }

    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    void chord(Keys modifier, String key) {
        new Actions(driver).keyDown(modifier).sendKeys(key).keyUp(modifier).perform();
    }

    void type(String text) {
        press(text);
    }

    /** Replaces the text of the field that has the focus. */
    void retype(String text) {
        chord(Keys.CONTROL, "a");
        press(text);
    }

    /**
     * Presses the tabulator until the control with this name has the focus, as a person without a mouse does. In an editor the
     * tabulator indents, and leaves it after Escape.
     */
    void tabTo(String name) {
        walkTo(name, () -> press(Keys.TAB));
    }

    /** Goes back with the tabulator to a control that stands before the present one. */
    void tabBackTo(String name) {
        walkTo(
                name,
                () -> new Actions(driver)
                        .keyDown(Keys.SHIFT)
                        .sendKeys(Keys.TAB)
                        .keyUp(Keys.SHIFT)
                        .perform());
    }

    private void walkTo(String name, Runnable step) {
        patiently(() -> assertThat(run(NAMED + "return named(arguments[0]) !== undefined;", name))
                .as("a control named %s on %s", name, address())
                .isEqualTo(true));
        List<String> passed = new ArrayList<>();
        boolean inAnEditor = Boolean.TRUE.equals(run("return document.activeElement?.shadowRoot != null;"));
        for (int i = 0; i < MOST_TABS; i++) {
            if (inAnEditor) {
                press(Keys.ESCAPE);
            }
            step.run();
            String focused = String.valueOf(run(NAMED + FOCUSED));
            inAnEditor = focused.startsWith(EDITOR);
            focused = focused.substring(EDITOR.length());
            if (focused.equals(name)) {
                return;
            }
            passed.add(focused);
        }
        throw new AssertionError("the tabulator does not reach " + name + ", only " + passed);
    }

    /** Operates the control with this name without a mouse. */
    void enter(String name) {
        tabTo(name);
        press(Keys.ENTER);
    }

    /** Chooses a file in the field with this id. */
    void choose(String id, Path file) {
        patiently(() -> assertThat(count("#" + id)).as(id).isOne());
        driver.findElement(By.id(id)).sendKeys(file.toAbsolutePath().toString());
    }

    /** Chooses the option with this value in the list with this name. */
    void select(String name, String value) {
        patiently(() -> assertThat(run(NAMED + """
                                const e = named(arguments[0]);
                                if (![...(e?.options ?? [])].some((o) => o.value === arguments[1])) return false;
                                e.value = arguments[1];
                                e.dispatchEvent(new Event('change', {bubbles: true}));
                                return true;
                                """, name, value))
                .as("the option %s of %s on %s", value, name, address())
                .isEqualTo(true));
    }

    // -- the code editor, which is in a shadow tree

    void awaitEditor() {
        awaitInEditor(".cm-content");
    }

    void awaitInEditor(String selector) {
        patiently(() -> assertThat(run(
                        "return document.querySelector('.code')?.shadowRoot?.querySelector(arguments[0]) != null;",
                        selector))
                .as("%s in the editor on %s", selector, address())
                .isEqualTo(true));
    }

    void awaitNotInEditor(String selector) {
        patiently(() -> assertThat(run(
                        "return document.querySelector('.code')?.shadowRoot?.querySelector(arguments[0]) == null;",
                        selector))
                .as("no %s in the editor on %s", selector, address())
                .isEqualTo(true));
    }

    /** An attribute of an element of the editor. */
    String inEditor(String selector, String attribute) {
        return String.valueOf(run(
                "return document.querySelector('.code').shadowRoot.querySelector(arguments[0]).getAttribute(arguments[1]);",
                selector,
                attribute));
    }

    /** The number of the line next to which an element of the editor's gutters is. */
    int lineInEditor(String selector) {
        return Integer.parseInt(String.valueOf(run("""
                const root = document.querySelector('.code').shadowRoot;
                const top = (e) => Math.round(e.getBoundingClientRect().top);
                const place = top(root.querySelector(arguments[0]));
                return [...root.querySelectorAll('.cm-lineNumbers .cm-gutterElement')]
                  .find((e) => top(e) === place && e.offsetHeight > 0).innerText;
                """, selector)));
    }

    /** Replaces the text of the editor, as one paste: brackets that are typed would be closed by the editor. */
    void edit(String text) {
        run("document.querySelector('.code').shadowRoot.querySelector('.cm-content').focus();");
        rewrite(text);
    }

    /** Replaces the text of the editor that has the focus. */
    void rewrite(String text) {
        chord(Keys.CONTROL, "a");
        driver.executeCdpCommand("Input.insertText", Map.of("text", text));
    }

    // -- what must hold on every page

    /** What axe-core finds wrong with the page: rule, help and elements. */
    List<String> violations() {
        return accessibility.violations();
    }

    /** By how many pixels the page is wider than the window, or what an open dialog shows than the dialog. */
    long sidewaysScroll() {
        return ((Number) Objects.requireNonNull(run("""
                        return Math.max(...[document.documentElement, ...document.querySelectorAll('dialog[open]')]
                          .map((e) => e.scrollWidth - e.clientWidth));
                        """))).longValue();
    }

    /** The requests since the last call that pages of the console sent to other origins; another page sends what it likes. */
    List<String> foreignRequests() {
        return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
                .map(entry -> JsonMapper.shared().readTree(entry.getMessage()).path("message"))
                .filter(message -> message.path("method").asString("").equals("Network.requestWillBeSent"))
                .filter(message ->
                        message.at("/params/documentURL").asString("").startsWith(origin + "/"))
                .map(message -> message.at("/params/request/url").asString(""))
                .filter(url -> url.startsWith("http") && !url.startsWith(origin + "/"))
                .toList();
    }

    /** Defects that the browser has reported since the last call; a refused request is not one. */
    List<String> scriptErrors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
                .map(entry -> entry.getMessage())
                .filter(message -> !message.contains("Failed to load resource"))
                .toList();
    }

    /** Saves what the page looks like; a quick picture is a larger file. */
    void picture(Path file, boolean quick) {
        Object picture = driver.executeCdpCommand(
                        "Page.captureScreenshot", Map.of("format", "png", "optimizeForSpeed", quick))
                .get("data");
        try {
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.write(file, Base64.getDecoder().decode(String.valueOf(picture)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What is shown is accessible, fits and comes from one origin, at both widths and in both themes. A theme changes only
     * colours, so in the dark one only those are looked at.
     */
    void looksWell(String name) {
        assertThat(foreignRequests()).as(name).isEmpty();
        for (int width : new int[] {WIDE, NARROW}) {
            for (boolean dark : new boolean[] {false, true}) {
                String look = name + "-" + width + (dark ? "-dark" : "-light");
                shape(width, dark);
                if (PICTURES_OF_ALL) {
                    picture(Chromium.PICTURES.resolve(look + ".png"), true);
                }
                if (dark) {
                    assertThat(accessibility.violationsOfColours()).as(look).isEmpty();
                } else {
                    assertThat(accessibility.violations()).as(look).isEmpty();
                    assertThat(sidewaysScroll()).as(look).isZero();
                }
            }
        }
        shape(WIDE, false);
    }

    /** The path of the link with this name. */
    String link(String name) {
        return String.valueOf(run(NAMED + "return named(arguments[0]).href;", name))
                .substring(origin.length());
    }

    String origin() {
        return origin;
    }
}
