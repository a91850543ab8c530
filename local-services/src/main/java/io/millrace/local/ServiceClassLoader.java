package io.millrace.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shows one service the classes and resources of its own jars. The class path of the process holds the jars of all
 * services; without this view, each service would configure itself for the libraries of the others and find their
 * {@code application.yml}. It defines no classes, so that services share those of their common libraries.
 */
final class ServiceClassLoader extends ClassLoader {

    private final ClassLoader all;
    private final Set<String> jars;

    /**
     * Creates a view.
     *
     * @param jars the file names of the visible jars; what is not in a jar is always visible
     */
    ServiceClassLoader(String service, ClassLoader all, Set<String> jars) {
        super(service, all);
        this.all = all;
        this.jars = jars;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        Class<?> found = all.loadClass(name);
        CodeSource source = found.getProtectionDomain().getCodeSource();
        if (source != null && source.getLocation() != null && isHidden(source.getLocation())) {
            throw new ClassNotFoundException(name + " is not in the class path of " + getName());
        }
        return found;
    }

    @Override
    public @Nullable URL getResource(String name) {
        try {
            Enumeration<URL> found = getResources(name);
            return found.hasMoreElements() ? found.nextElement() : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> visible = new ArrayList<>();
        for (URL url : Collections.list(all.getResources(name))) {
            if (!isHidden(url)) {
                visible.add(url);
            }
        }
        return Collections.enumeration(visible);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        URL url = getResource(name);
        try {
            return url == null ? null : url.openStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a URL, {@code file:x.jar} or {@code jar:file:x.jar!/entry}, belongs to a jar of other services. */
    private boolean isHidden(URL url) {
        String text = url.getPath();
        int entry = text.indexOf("!/");
        String file = entry < 0 ? text : text.substring(0, entry);
        return file.endsWith(".jar") && !jars.contains(file.substring(file.lastIndexOf('/') + 1));
    }
}
