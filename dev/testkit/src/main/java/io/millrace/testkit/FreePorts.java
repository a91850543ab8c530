package io.millrace.testkit;

import io.millrace.launcher.Ports;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.SuiteSettings;
import java.util.Map;

/** Free ports for a suite that is started by a command, so that it can run next to another one. */
public final class FreePorts {

    private FreePorts() {}

    /** Sets the variables of all ports. */
    public static void set(Map<String, String> environment) {
        for (Service service : Service.values()) {
            environment.put(service.portVariable(), Integer.toString(Ports.free()));
        }
        environment.put(SuiteSettings.KV_PORT_VARIABLE, Integer.toString(Ports.free()));
        environment.put(SuiteSettings.KV_TLS_PORT_VARIABLE, Integer.toString(Ports.free()));
    }
}
