package io.millrace.accessspring;

import io.millrace.accessspring.trail.CopiedTrail;
import io.millrace.accessspring.trail.MetakvAuditStream;
import io.millrace.audit.Audit;
import io.millrace.audit.AuditStream;
import io.millrace.audit.AuditTrail;
import io.millrace.audit.BoundedRefusals;
import io.millrace.audit.FileSink;
import io.millrace.audit.StreamCopy;
import io.millrace.users.UserDirectory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.annotation.Order;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.firewall.ServerWebExchangeFirewall;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Puts the gate in front of a service that declares {@link Doors}. */
@AutoConfiguration
@EnableWebFluxSecurity
@EnableConfigurationProperties(AccessSettings.class)
@ConditionalOnBean(Doors.class)
class AccessAutoConfiguration {

    /** The identity of the cluster: absent where no secret is configured. */
    @Bean
    @ConditionalOnMissingBean
    ClusterIdentity clusterIdentity(AccessSettings settings, @Value("${spring.application.name}") String service) {
        return new ClusterIdentity(settings.clusterSecret(), service, Clock.systemUTC());
    }

    @Bean
    @ConditionalOnMissingBean
    Refusals refusals() {
        return new ProtocolRefusals();
    }

    /** Where the trails of all services are copied to; metakv-service itself has a stream of its own. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("millrace.metakv.url")
    AuditStream auditStream(@Value("${millrace.metakv.url}") String url, ClusterIdentity identity) {
        return new MetakvAuditStream(url, identity);
    }

    /** The trail of this service, in a file of its own; without a directory there is none. */
    @Bean
    @ConditionalOnMissingBean
    Audit audit(
            @Value("${MILLRACE_AUDIT_DIR:}") String directory,
            @Value("${spring.application.name}") String service,
            @Value("${server.port:0}") int port,
            ObjectProvider<AuditStream> stream) {
        if (directory.isBlank()) {
            return Audit.NONE;
        }
        FileSink file = FileSink.in(Path.of(directory.strip()), service + "-" + port);
        BoundedRefusals trail = BoundedRefusals.of(new AuditTrail(service, InstantSource.system(), List.of(file)));
        AuditStream copies = stream.getIfAvailable();
        return copies == null ? trail : new CopiedTrail(trail, StreamCopy.start(file, copies));
    }

    @Bean
    GateAudit gateAudit(Audit audit) {
        return new GateAudit(audit);
    }

    @Bean
    RefusalWatch refusalWatch(GateAudit audit) {
        return new RefusalWatch(audit);
    }

    /** Only a service that has users has doors for those of an identity provider. */
    @Bean
    @ConditionalOnBean(UserDirectory.class)
    @Conditional(WithIdentityProvider.class)
    TokenLogins tokenLogins(AccessSettings settings) {
        return new TokenLogins(settings.oidc());
    }

    @Bean
    Authenticator authenticator(
            AccessSettings settings,
            ClusterIdentity identity,
            ObjectProvider<UserDirectory> users,
            ObjectProvider<TokenLogins> provider,
            @Value("${server.address:0.0.0.0}") String address) {
        AccessSettings.Mode mode = settings.mode();
        if (mode == AccessSettings.Mode.OPEN) {
            checkLoopback(address);
        }
        return new Authenticator(mode, identity, users.getIfAvailable(), provider.getIfAvailable());
    }

    @Bean
    Gate gate(
            Doors doors,
            Authenticator authenticator,
            AccessSettings settings,
            ClusterIdentity identity,
            ObjectProvider<Authenticator.MetricsLogins> logins,
            Refusals refusals,
            GateAudit audit) {
        Authenticator.MetricsLogins readers = logins.getIfAvailable();
        Authenticator ofMetrics =
                readers == null ? authenticator : new Authenticator(settings.mode(), identity, readers.users(), null);
        return new Gate(doors, authenticator, ofMetrics, refusals, audit);
    }

    /** A handler that refuses, such as the login, is answered for by the gate; the filters do that only for what comes to them. */
    @Bean
    @Order(0)
    WebFilter refusalsOfHandlers(Gate gate) {
        return (exchange, chain) -> chain.filter(exchange)
                .onErrorResume(RefusalException.class, refused -> gate.write(exchange, refused.refusal()));
    }

    /** Behind the gate, which says who asks; where only services ask, the one that saw the login ends the feed. */
    @Bean
    @Order(0)
    @ConditionalOnBean(UserDirectory.class)
    WebFilter feedWatch(Gate gate) {
        return (exchange, chain) -> gate.watched(exchange, chain.filter(exchange));
    }

    /** The sessions of a service that has users. */
    @Bean
    @ConditionalOnBean(UserDirectory.class)
    Sessions sessions(ClusterIdentity identity, UserDirectory users) {
        return new Sessions(identity.sessions(), users);
    }

    private static void checkLoopback(String address) {
        try {
            if (InetAddress.getByName(address).isLoopbackAddress()) {
                return;
            }
        } catch (UnknownHostException e) {
            // not an address of this machine: the server reports it
        }
        throw new IllegalStateException(
                "MILLRACE_OPEN=yes makes everyone who reaches the port an administrator, so it is"
                        + " allowed on loopback only, not on " + address
                        + ". Set MILLRACE_BIND=127.0.0.1 or unset MILLRACE_OPEN.");
    }

    /**
     * Lets all paths reach the gate. Ids of documents may contain any character, such as an encoded slash; doors and routers
     * read paths with the same parser, so none is read in two ways.
     */
    @Bean
    ServerWebExchangeFirewall firewall() {
        return ServerWebExchangeFirewall.INSECURE_NOOP;
    }

    /** Who was let in is in the audit trail; spans around each filter would cost as much as the request behind them. */
    @Bean
    SecurityObservationSettings unobserved() {
        return SecurityObservationSettings.noObservations();
    }

    @Bean
    SecurityWebFilterChain gateFilters(ServerHttpSecurity http, Gate gate) {
        AuthenticationWebFilter authentication =
                new AuthenticationWebFilter((ReactiveAuthenticationManager) Mono::just);
        authentication.setServerAuthenticationConverter(gate::authentication);
        authentication.setSecurityContextRepository(NoOpServerSecurityContextRepository.getInstance());
        authentication.setAuthenticationFailureHandler(
                (filter, failure) -> gate.write(filter.getExchange(), refusal(failure)));
        SecurityWebFilterChain filters = http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                .headers(ServerHttpSecurity.HeaderSpec::disable)
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .addFilterAt(authentication, SecurityWebFiltersOrder.AUTHENTICATION)
                .authorizeExchange(exchanges -> exchanges.anyExchange().access(gate))
                .exceptionHandling(refused -> refused.authenticationEntryPoint(
                                (exchange, failure) -> failure instanceof RefusalException known
                                        ? gate.write(exchange, known.refusal())
                                        : gate.refuse(exchange))
                        .accessDeniedHandler((exchange, denied) -> gate.refuse(exchange)))
                .build();
        return new Behind(gate, filters);
    }

    /** The filters behind a gate that admits most requests without them. */
    private record Behind(Gate gate, SecurityWebFilterChain filters) implements SecurityWebFilterChain {

        @Override
        public Mono<Boolean> matches(ServerWebExchange exchange) {
            return gate.admits(exchange) ? Mono.just(false) : filters.matches(exchange);
        }

        @Override
        public Flux<WebFilter> getWebFilters() {
            return filters.getWebFilters();
        }
    }

    private static Refusal refusal(AuthenticationException failure) {
        return failure instanceof RefusalException known ? known.refusal() : Refusal.unauthorized("The login failed.");
    }

    /** A variable that is not set gives an empty setting. */
    static final class WithIdentityProvider implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !context.getEnvironment()
                    .getProperty("millrace.access.oidc.issuer", "")
                    .isBlank();
        }
    }
}
