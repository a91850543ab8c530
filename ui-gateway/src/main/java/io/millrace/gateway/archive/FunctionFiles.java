package io.millrace.gateway.archive;

/** The files that hold one function, in a folder of its own. */
final class FunctionFiles {

    static final String CODE = "handler.js";
    static final String DEPLOYMENT = "deployment.json";
    static final String SETTINGS = "settings.json";

    private FunctionFiles() {}
}
