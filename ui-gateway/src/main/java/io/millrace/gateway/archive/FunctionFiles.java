package io.millrace.gateway.archive;

/** The files of a function in its folder of an archive. */
final class FunctionFiles {

    static final String CODE = "handler.js";
    static final String DEPLOYMENT = "deployment.json";
    static final String SETTINGS = "settings.json";

    private FunctionFiles() {}
}
