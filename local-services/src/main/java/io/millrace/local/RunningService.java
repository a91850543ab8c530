package io.millrace.local;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;

/** One service as an application context. */
final class RunningService {

    /** Lines do not name the service: libraries and threads are shared, the logger says which part it was. */
    private static final String LOG_PATTERN =
            "time=%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} level=%p service=millrace logger=%logger{0}"
                    + " %replace(%m){'[\\r\\n]+',' '}%n%ex";

    private final String name;
    private final int port;
    private final ServiceJar jar;
    private final ServiceClassLoader classes;
    private final LoopResources loops;
    private final CompletionStage<Void> allReady;
    private final long budgetBytes;
    private volatile @Nullable ConfigurableApplicationContext context;

    /**
     * Creates a service without starting it.
     *
     * @param allReady completes when the last service of this process accepts requests
     * @param budgetBytes its part of the heap for requests and responses, unless its settings say otherwise
     */
    RunningService(
            String name,
            int port,
            ServiceJar jar,
            LoopResources loops,
            CompletionStage<Void> allReady,
            long budgetBytes) {
        this.name = name;
        this.port = port;
        this.jar = jar;
        this.classes = new ServiceClassLoader(name, RunningService.class.getClassLoader(), jar.files());
        this.loops = loops;
        this.allReady = allReady;
        this.budgetBytes = budgetBytes;
    }

    String name() {
        return name;
    }

    /**
     * Starts the service and returns when it accepts requests.
     *
     * @param loggingReady counted down when this service has configured the logging of the process
     */
    void start(CountDownLatch loggingReady) throws ClassNotFoundException {
        Thread.currentThread().setContextClassLoader(classes);
        Class<?> main = classes.loadClass(jar.mainClass());
        SpringApplication application = new SpringApplication(new DefaultResourceLoader(classes), main);
        application.setMainApplicationClass(main);
        application.setBannerMode(Banner.Mode.OFF);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(
                Map.of("logging.register-shutdown-hook", false, "millrace.http.max-held-bytes", budgetBytes + "B"));
        application.addInitializers(created -> {
            loggingReady.countDown();
            shareEventLoops((GenericApplicationContext) created);
            // what is not needed to become ready waits for this bean
            created.getBeanFactory().registerSingleton("allServicesReady", allReady);
        });
        context = application.run("--SERVER_PORT=" + port, "--logging.pattern.console=" + LOG_PATTERN);
    }

    /** A context that closes would end the global event loops, and with them the servers of the other services. */
    private void shareEventLoops(GenericApplicationContext created) {
        created.registerBean(ReactorResourceFactory.class, () -> {
            ReactorResourceFactory factory = new ReactorResourceFactory();
            factory.setUseGlobalResources(false);
            factory.setLoopResources(loops);
            return factory;
        });
    }

    /** Closes the service; returns after the limit even if requests are still open. */
    void stop(Duration limit) {
        ConfigurableApplicationContext running = context;
        if (running == null) {
            return;
        }
        Thread closing = Thread.ofPlatform().daemon().name("stop-" + name).start(running::close);
        try {
            closing.join(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
