package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.workerprotocol.WorkerSetup;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Libraries over HTTP, and functions that import them. */
class LibrariesWebTest extends WebTest {

    private static final String MONEY = "export const cents = text => Math.round(Number(text) * 100);";
    private static final String TAX = "import {cents} from 'money@1.0.0'; export const gross = t => cents(t) * 1.19;";

    private Answer put(String id, String code) {
        return ask(HttpMethod.PUT, path(id), code);
    }

    private static String path(String id) {
        return "/api/v1/libraries/" + id.replace("@", "/versions/");
    }

    private static ObjectNode importing(String name, String imports) {
        return definition(name).put("appcode", imports + " function OnUpdate(doc, meta) {}");
    }

    private List<String> deployedLibraries(String function) {
        return runtime.spec(function).orElseThrow().language().libraries().stream()
                .map(WorkerSetup.Library::id)
                .toList();
    }

    @Test
    void library_isSavedShownAndDeleted() {
        put("money@1.0.0", MONEY).ok();
        put("tax@2", TAX).ok();

        JsonNode list = get("/api/v1/libraries").json();
        JsonNode money = get(path("money@1.0.0")).json();

        assertThat(list.findValuesAsString("name")).containsExactly("money", "tax");
        assertThat(list.at("/1/imports").toString()).isEqualTo("[\"money@1.0.0\"]");
        assertThat(list.toString()).doesNotContain("Math.round");
        assertThat(money.path("code").asString()).isEqualTo(MONEY);
        assertThat(money.path("used_by").toString()).isEqualTo("[\"tax@2\"]");
        assertThat(ask(HttpMethod.DELETE, path("money@1.0.0"), null)
                        .problem(409, "library_in_use")
                        .path("detail")
                        .asString())
                .contains("imported by tax@2");
        delete(path("tax@2")).noContent();
        delete(path("money@1.0.0")).noContent();
        get(path("money@1.0.0")).problem(404, "library_not_found");
        assertThat(ask(HttpMethod.DELETE, path("money@1.0.0"), null)
                        .problem(404, "library_not_found")
                        .path("detail")
                        .asString())
                .isEqualTo("There is no library money@1.0.0; there are none yet.");
    }

    @Test
    void version_neverChanges() {
        put("money@1.0.0", MONEY).ok();
        put("money@1.0.0", MONEY).ok();

        assertThat(put("money@1.0.0", MONEY + " ")
                        .problem(409, "library_exists")
                        .path("detail")
                        .asString())
                .contains("a version never changes");
        assertThat(get(path("money@1.0.0")).json().path("code").asString()).isEqualTo(MONEY);
    }

    @Test
    void library_thatCannotBeImported_isRefused() {
        assertThat(put("bad@1", "export const a = 1;\nexport const = 2;")
                        .problem(400, "invalid_library")
                        .path("detail")
                        .asString())
                .contains("line 2");
        assertThat(put("bad@1", TAX)
                        .problem(400, "invalid_library")
                        .path("detail")
                        .asString())
                .contains("There is no library money@1.0.0; there are none yet, so save it first");
        assertThat(put("bad@1", "import fs from 'fs';")
                        .problem(400, "invalid_library")
                        .path("detail")
                        .asString())
                .contains("and not from 'fs'");
        put("-x@1", MONEY).problem(400, "invalid_library");
        put("big@1", "//" + "x".repeat(1 << 20)).problem(400, "invalid_library");
        assertThat(get("/api/v1/libraries").json()).isEmpty();
    }

    @Test
    void function_isSavedWithLibrariesThatExist() {
        put("money@1.0.0", MONEY).ok();

        JsonNode missing = post(
                        "/api/v1/functions/f",
                        importing("f", "import {cents} from 'money@2';").toString())
                .error(422, "ERR_HANDLER_COMPILATION", 27);
        JsonNode notExported = post(
                        "/api/v1/functions/f",
                        importing("f", "import {euros} from 'money@1.0.0';").toString())
                .error(422, "ERR_HANDLER_COMPILATION", 27);

        assertThat(missing.toString()).contains("There is no library money@2; there is money@1.0.0");
        assertThat(notExported.toString()).contains("does not export euros; it exports cents");
    }

    @Test
    void deployedFunction_getsWhatItImports_andKeepsItFromBeingDeleted() {
        put("money@1.0.0", MONEY).ok();
        put("tax@2", TAX).ok();
        post(
                        "/api/v1/functions/f",
                        importing("f", "import {gross} from 'tax@2';").toString())
                .ok();
        deploy("f");

        assertThat(deployedLibraries("f")).containsExactly("tax@2", "money@1.0.0");
        assertThat(get(path("money@1.0.0")).json().path("used_by").toString()).isEqualTo("[\"f\",\"tax@2\"]");
        assertThat(delete(path("tax@2"))
                        .problem(409, "library_in_use")
                        .path("detail")
                        .asString())
                .isEqualTo("The library tax@2 is imported by f. Change or delete these first.");
        assertThat(get("/api/v1/dependencies").json().at("/functions/0/imports").toString())
                .isEqualTo("[\"tax@2\"]");
    }

    @Test
    void export_containsWhatIsImported() {
        put("money@1.0.0", MONEY).ok();
        put("tax@2", TAX).ok();
        post(
                        "/api/v1/functions/f",
                        importing("f", "import {gross} from 'tax@2';").toString())
                .ok();
        String exported = get("/api/v1/export").text();
        delete("/api/v1/functions/f").ok();
        delete(path("tax@2")).noContent();
        delete(path("money@1.0.0")).noContent();

        post("/api/v1/import", exported).ok();

        assertThat(get(path("money@1.0.0")).json().path("code").asString()).isEqualTo(MONEY);
        assertThat(get("/api/v1/functions/f").ok().json().has("libraries")).isFalse();
        delete("/api/v1/functions/f").ok();
        assertThat(post("/api/v1/import", exported.replace("1.19", "1.20")).status())
                .isEqualTo(409);
        assertThat(get("/api/v1/functions").json()).isEmpty();
    }
}
