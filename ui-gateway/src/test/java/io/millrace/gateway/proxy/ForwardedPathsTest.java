package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.PathContainer;

class ForwardedPathsTest {

    private static final Map<String, String> SERVICES =
            ForwardedPaths.table("eventing", "functions", "subdoc", "metakv");

    @Test
    void everyPath_andWhatIsBelow_belongsToItsService() {
        Map<String, List<String>> all = Map.of(
                "eventing", ForwardedPaths.EVENTING,
                "functions", ForwardedPaths.REQUESTS,
                "subdoc", ForwardedPaths.SUBDOC,
                "metakv", ForwardedPaths.METAKV);

        all.forEach((service, paths) -> paths.forEach(path -> {
            assertThat(find(path)).as(path).isEqualTo(service);
            assertThat(find(path + "/")).as(path).isEqualTo(service);
            assertThat(find(path + "/a%2Fb/c;d=1?")).as(path).isEqualTo(service);
        }));
    }

    @Test
    void path_isReadAsRoutesReadIt() {
        assertThat(find("/api/v1/%62uckets/b")).isEqualTo("subdoc");
        assertThat(find("/api/v1/buckets;a=b/c")).isEqualTo("subdoc");
        assertThat(find("/api//v1/buckets")).isNull();
        assertThat(find("/api/v1/bucketsful")).isNull();
        assertThat(find("/api/v1%2Fbuckets")).isNull();
        assertThat(find("/api/v1")).isNull();
        assertThat(find("/")).isNull();
        assertThat(find("")).isNull();
    }

    @Test
    void sharedPath_isLeftToTheRoutes() {
        ForwardedPaths.SHARED.forEach(path -> assertThat(find(path)).isNull());
        ForwardedPaths.SHARED_BELOW.forEach(path -> {
            assertThat(find(path)).isNull();
            assertThat(find(path.replace("_", "%5F") + ";a=b")).isNull();
            assertThat(find(path + "/a")).isEqualTo("subdoc");
        });
    }

    private static @Nullable String find(String path) {
        return ForwardedPaths.find(SERVICES, PathContainer.parsePath(path));
    }
}
