package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.acceptance.ServiceDoors.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The gateway passes on every path of the services that clients may ask for, and no other one. */
class ForwardedDoorsTest {

    private static final String EACH_SERVICE = "each service has its own";
    private static final String SDK = "SDKs and tools of Couchbase ask subdoc-service itself";

    /** Paths of a service that the gateway does not pass on, with everything below them, and why. */
    private static final Map<String, Map<String, String>> NOT_FORWARDED = Map.of(
            "eventing-service", usual(Map.of()),
            "metakv-service", usual(Map.of()),
            "subdoc-service",
                    usual(Map.of(
                            "/pools", SDK,
                            "/settings", SDK + "; users, below /settings/rbac, are passed on",
                            "/controller", SDK + "; a change of a password is passed on",
                            "/node", SDK,
                            "/nodes", SDK,
                            "/nodeInit", SDK,
                            "/sampleBuckets", SDK)));

    /** Paths without a route, which are passed on because the service says what to use instead. */
    private static final List<String> EXPLAINED =
            List.of("/api/v1/backup", "/getSeqsProcessed", "/getUserInfo", "/writeDebuggerURL", "/logLevel");

    private static Map<String, String> usual(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(more);
        for (String path : List.of("/actuator", "/v3/api-docs", "/v3/api-docs.yaml", "/swagger-ui", "/webjars")) {
            all.put(path, EACH_SERVICE);
        }
        all.put("/swagger-ui.html", EACH_SERVICE);
        return Map.copyOf(all);
    }

    private static List<String> forwarded(String service) {
        Stream<String> lists = switch (service) {
            case "eventing-service" -> Stream.of("EVENTING", "SHARED", "REQUESTS");
            case "subdoc-service" -> Stream.of("SUBDOC", "SHARED_BELOW");
            default -> Stream.of("METAKV");
        };
        return lists.flatMap(list -> ServiceDoors.forwarded(list).stream()).toList();
    }

    private static boolean isBelow(String root, String path) {
        return path.equals(root) || path.startsWith(root + "/");
    }

    @Test
    void everyDoorOfEveryService_isForwardedOrListedWithItsReason() {
        List<String> lost = new ArrayList<>();
        NOT_FORWARDED.forEach((service, kept) -> {
            List<String> roots = forwarded(service);
            for (Route route : ServiceDoors.of(service)) {
                String path = route.pattern();
                boolean passed = roots.stream().anyMatch(root -> isBelow(root, path));
                if (!passed && kept.keySet().stream().noneMatch(root -> isBelow(root, path))) {
                    lost.add(service + " " + route);
                }
            }
        });

        assertThat(lost)
                .as(
                        "routes that clients of the gateway cannot reach: add them to ForwardedPaths, or here with the reason")
                .isEmpty();
    }

    @Test
    void everyForwardedPath_hasADoor() {
        List<String> idle = new ArrayList<>();
        NOT_FORWARDED.forEach((service, kept) -> {
            List<Route> doors = ServiceDoors.of(service);
            Stream.concat(forwarded(service).stream(), kept.keySet().stream())
                    .filter(root -> doors.stream().noneMatch(door -> isBelow(root, door.pattern())))
                    .map(root -> service + " " + root)
                    .forEach(idle::add);
        });

        assertThat(idle)
                .as("paths of ForwardedPaths, or of the exceptions here, that the service has not")
                .containsExactlyInAnyOrderElementsOf(EXPLAINED.stream()
                        .map(path -> "eventing-service " + path)
                        .toList());
    }

    @Test
    void noPath_belongsToTwoServices() {
        List<String> all = NOT_FORWARDED.keySet().stream()
                .flatMap(service -> forwarded(service).stream())
                .toList();

        assertThat(all).doesNotHaveDuplicates();
    }
}
