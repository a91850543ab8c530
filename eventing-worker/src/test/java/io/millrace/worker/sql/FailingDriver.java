package io.millrace.worker.sql;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.logging.Logger;

/** A driver whose method that its URL names has a defect. It is loaded from a jar, next to no class of the tests. */
public final class FailingDriver implements Driver {

    static final String PREFIX = "jdbc:failing:";

    /** Makes the jar of this driver. */
    static void pack(Path jar) throws IOException {
        String name = FailingDriver.class.getName();
        String path = name.replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream code = FailingDriver.class.getClassLoader().getResourceAsStream(path)) {
            out.putNextEntry(new JarEntry("META-INF/services/java.sql.Driver"));
            out.write(name.getBytes(StandardCharsets.UTF_8));
            out.putNextEntry(new JarEntry(path));
            code.transferTo(out);
        }
    }

    @Override
    public Connection connect(String url, Properties info) {
        fail(url, "connect");
        return made(Connection.class, url);
    }

    private static <T> T made(Class<T> type, String url) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            fail(url, method.getName());
            Class<?> result = method.getReturnType();
            if (result == PreparedStatement.class) {
                return made(PreparedStatement.class, url);
            }
            if (result == boolean.class) {
                return method.getName().equals("isValid");
            }
            return result == int.class ? 0 : null;
        }));
    }

    private static void fail(String url, String method) {
        if (url.equals(PREFIX + method)) {
            throw new IllegalArgumentException("no " + method);
        }
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }
}
