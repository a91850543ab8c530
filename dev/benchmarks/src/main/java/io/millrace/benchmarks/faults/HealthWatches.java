package io.millrace.benchmarks.faults;

import io.millrace.access.IdentityTokens;
import io.millrace.access.ServiceIdentity;
import io.millrace.launcher.gateway.Login;
import io.millrace.launcher.suite.Service;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Asks the gateway for the health of all, and each service whether it can do its work, as the gateway does. */
final class HealthWatches implements AutoCloseable {

    private final HealthWatch all;
    private final Map<Service, HealthWatch> services = new EnumMap<>(Service.class);

    HealthWatches(FaultSuite suite) {
        Login login = suite.login();
        ServiceIdentity identity =
                suite.identity(); // not all services answer to users, and the gateway takes it for nothing
        all = new HealthWatch(suite.gateway().resolve("/actuator/health"), "Authorization", login::authorization);
        for (Service service : Service.values()) {
            String part = service == Service.GATEWAY ? "readiness" : "serving";
            URI health = suite.address(service).resolve("/actuator/health/" + part);
            services.put(service, new HealthWatch(health, IdentityTokens.HEADER, identity));
        }
    }

    /** Returns the answers so far, that of the whole suite first. */
    List<Health> around(Fault fault) {
        List<Health> health = new ArrayList<>();
        health.add(new Health("health", fault.meanwhile().unhealthy, all.samples()));
        services.forEach((service, watch) -> health.add(
                new Health("readiness of " + service.moduleName(), fault.shut().contains(service), watch.samples())));
        return health;
    }

    @Override
    public void close() throws InterruptedException {
        all.close();
        for (HealthWatch watch : services.values()) {
            watch.close();
        }
    }
}
