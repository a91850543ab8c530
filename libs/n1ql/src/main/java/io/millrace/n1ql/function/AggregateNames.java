package io.millrace.n1ql.function;

import io.millrace.n1ql.function.spec.FunctionSpec;

/** Registers the names of aggregates and window functions, which plans compute over rows. */
final class AggregateNames {

    private AggregateNames() {}

    static void register(FunctionSpec.Registrar registrar) {
        for (String name : new String[] {
            "array_agg",
            "avg",
            "mean",
            "count",
            "countn",
            "max",
            "median",
            "min",
            "stddev",
            "stddev_pop",
            "stddev_samp",
            "sum",
            "var_pop",
            "var_samp",
            "variance",
            "variance_pop",
            "variance_samp"
        }) {
            registrar.addAggregate(1, 1, true, name);
        }
        registrar.addAggregate(1, 2, true, "listagg");
        for (String name : new String[] {"row_number", "rank", "dense_rank", "percent_rank", "cume_dist"}) {
            registrar.addWindow(0, 0, name);
        }
        for (String name : new String[] {"ntile", "first_value", "last_value", "ratio_to_report"}) {
            registrar.addWindow(1, 1, name);
        }
        registrar.addWindow(2, 2, "nth_value");
        registrar.addWindow(1, 3, "lag");
        registrar.addWindow(1, 3, "lead");
    }
}
