package io.millrace.launcher.command;

import picocli.CommandLine.IVersionProvider;

/** The version of this build, which the manifest of the jar names. */
final class Version implements IVersionProvider {

    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development build" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"millrace " + text()};
    }
}
