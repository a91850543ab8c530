package io.millrace.accessspring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;

import io.millrace.access.Permission;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.PathContainer;

class DoorsTest {

    @Test
    void aRoute_isDeclaredOnce() {
        assertThatThrownBy(() -> Doors.table().open("/a").known(GET, "/a").build())
                .hasMessage("The route is declared twice: GET /a");
    }

    @Test
    void ofSeveralPatterns_theMostSpecificCounts() {
        Doors doors = Doors.table()
                .known(GET, "/functions/{name}")
                .open("/functions/list")
                .cluster(Permission.CLUSTER_MANAGE, DELETE, "/functions/{name}")
                .build();

        assertThat(find(doors, "/functions/list")).isEqualTo("GET /functions/list");
        assertThat(find(doors, "/functions/other")).isEqualTo("GET /functions/{name}");
        assertThat(find(doors, "/functions")).isEmpty();
    }

    @Test
    void pathsAreReadAsRoutesReadThem() {
        Doors doors = Doors.table()
                .cluster(Permission.CLUSTER_READ, GET, "/settings/rbac/{name}")
                .build();

        assertThat(find(doors, "/%73ettings/rbac/ann")).isEqualTo("GET /settings/rbac/{name}");
        assertThat(find(doors, "/settings;a=b/rbac;c/ann")).isEqualTo("GET /settings/rbac/{name}");
        assertThat(find(doors, "/settings%2Frbac/ann")).isEmpty();
        assertThat(find(doors, "/")).isEmpty();
    }

    @Test
    void feedsAreFound_whateverIsEmptyOrBehindTheirPath() {
        Doors doors = Doors.table().feeds("/couch/{database}/_changes/**").build();

        assertThat(List.of(
                        "/couch/db/_changes",
                        "/couch/db/_changes/",
                        "/couch/db/_changes/x",
                        "/couch//db/_changes",
                        "//couch/db//_changes",
                        "/couch/db/%5Fchanges"))
                .allMatch(path -> doors.isFeed(PathContainer.parsePath(path)));
        assertThat(doors.isFeed(PathContainer.parsePath("/couch/db/a"))).isFalse();
    }

    private static String find(Doors doors, String path) {
        return doors.find(GET, PathContainer.parsePath(path))
                .map(found -> found.door().toString())
                .orElse("");
    }
}
