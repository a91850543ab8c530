package io.millrace.webguard;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the guard lets pass.
 *
 * @param hosts further names under which clients address this service
 * @param corsOrigins origins whose pages may use the CouchDB API and call functions
 * @param bind the address on which the service listens, or blank
 * @param advertiseUrl the URL under which other nodes reach this one, or blank
 */
@ConfigurationProperties("millrace.web")
record WebGuardProperties(
        @DefaultValue List<String> hosts,
        @DefaultValue List<String> corsOrigins,
        @DefaultValue("") String bind,
        @DefaultValue("") String advertiseUrl) {

    OwnHosts ownHosts() {
        List<String> names = new ArrayList<>();
        names.add(bind);
        String advertised =
                advertiseUrl.isBlank() ? null : URI.create(advertiseUrl.strip()).getHost();
        if (advertised != null) {
            names.add(advertised);
        }
        try {
            names.add(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException e) {
            // the machine has a name that no resolver knows; MILLRACE_HOSTS names it where it is used
        }
        return OwnHosts.of(hosts, names);
    }
}
