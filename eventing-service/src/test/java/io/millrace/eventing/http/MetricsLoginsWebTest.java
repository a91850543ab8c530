package io.millrace.eventing.http;

import io.millrace.accessspring.MetricsLoginsContract;
import io.millrace.metakv.MetakvEntries;

/** Prometheus reads the metrics of each eventing node itself. */
class MetricsLoginsWebTest extends WebTest implements MetricsLoginsContract {

    @Override
    public MetakvEntries entries() {
        return metakv;
    }

    @Override
    public int port() {
        return port;
    }
}
