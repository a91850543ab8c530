package io.millrace.accessspring;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.users.UsersLimits;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtValidationException;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Checks tokens of an identity provider and gives their users roles. Checks have threads of their own, so that a provider
 * that does not answer makes no other login wait.
 */
final class TokenLogins implements AutoCloseable {

    /** The longest wait for an answer of the provider. */
    static final Duration FETCH_TIMEOUT = Duration.ofSeconds(3);

    private static final Duration FETCH_PAUSE = Duration.ofSeconds(10);
    private static final Duration KEYS_KEPT = Duration.ofMinutes(5);
    private static final Duration KEYS_KEPT_IN_OUTAGE = Duration.ofHours(1);
    private static final int THREADS = 4;
    private static final int MAX_WAITING = 1000;

    /** Signatures whose key is public: a secret that is shared with the provider would make its holders issuers. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}]{1,128}");

    private final OidcSettings settings;
    private final ClaimRoles roles;
    private final IssuerKeys keys;
    private final JWKSource<SecurityContext> keySource;
    private final NimbusJwtDecoder decoder;
    private final Scheduler threads = Schedulers.newBoundedElastic(THREADS, MAX_WAITING, "tokens", 10, true);

    /** @throws IllegalStateException if the settings are not usable */
    TokenLogins(OidcSettings settings) {
        settings.check();
        this.settings = settings;
        this.roles = ClaimRoles.parse(settings.roles());
        this.keys = new IssuerKeys(settings);
        this.keySource = JWKSourceBuilder.create(keys)
                .cache(KEYS_KEPT.toMillis(), 2 * FETCH_TIMEOUT.toMillis())
                .refreshAheadCache(false)
                .rateLimited(FETCH_PAUSE.toMillis())
                .outageTolerant(KEYS_KEPT_IN_OUTAGE.toMillis())
                .build();
        this.decoder = decoder();
    }

    private NimbusJwtDecoder decoder() {
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keySource));
        processor.setJWTClaimsSetVerifier((claims, context) -> {}); // the validators below say what is wrong
        NimbusJwtDecoder made = new NimbusJwtDecoder(processor);
        made.setJwtValidator(
                new DelegatingOAuth2TokenValidator<>(issuer(), audience(), expiry(), new JwtTimestampValidator()));
        return made;
    }

    private OAuth2TokenValidator<Jwt> issuer() {
        return token -> settings.issuer().equals(token.getClaimAsString("iss"))
                ? OAuth2TokenValidatorResult.success()
                : wrong("its issuer is " + token.getClaimAsString("iss") + ", expected " + settings.issuer());
    }

    private OAuth2TokenValidator<Jwt> audience() {
        return token -> {
            List<String> audience = token.getAudience();
            return audience != null && audience.contains(settings.audience())
                    ? OAuth2TokenValidatorResult.success()
                    : wrong("its audience is " + audience + ", expected " + settings.audience());
        };
    }

    private static OAuth2TokenValidator<Jwt> expiry() {
        return token -> token.getExpiresAt() == null
                ? wrong("it has no time of expiry (exp)")
                : OAuth2TokenValidatorResult.success();
    }

    private static OAuth2TokenValidatorResult wrong(String what) {
        return OAuth2TokenValidatorResult.failure(new OAuth2Error(OAuth2ErrorCodes.INVALID_TOKEN, what, null));
    }

    /** Emits the user of a token; fails with a {@link RefusalException} if the token does not hold. Does not block. */
    Mono<Subject> subject(String token) {
        return Mono.fromCallable(() -> check(token))
                .subscribeOn(threads)
                .onErrorMap(RejectedExecutionException.class, full -> new RefusalException(Refusal.busy()));
    }

    private Subject check(String token) {
        try {
            return user(decoder.decode(token));
        } catch (JwtValidationException e) {
            throw refused(e.getErrors().stream()
                    .map(OAuth2Error::getDescription)
                    .distinct()
                    .collect(Collectors.joining("; ")));
        } catch (BadJwtException e) {
            throw refused("it is not a JWT that is signed with a current key of the provider");
        } catch (JwtException e) {
            throw keys.fetched() && hasCause(e, RateLimitReachedException.class)
                    ? refused("it is not signed with a current key of the provider")
                    : new RefusalException(new Refusal(
                            HttpStatus.SERVICE_UNAVAILABLE,
                            "identity_provider_unavailable",
                            "The token cannot be checked, because the keys of " + settings.issuer()
                                    + " cannot be fetched. Try again, or log in with a password or an API key.",
                            FETCH_PAUSE));
        }
    }

    private static boolean hasCause(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return true;
            }
        }
        return false;
    }

    private RefusalException refused(String reason) {
        return new RefusalException(Refusal.unauthorized("The bearer token is neither an API key of this cluster nor a"
                + " token of " + settings.issuer() + " that counts here: " + reason + "."));
    }

    private Subject user(Jwt token) {
        String name = token.getClaimAsString(settings.nameClaim());
        if (name == null || !NAME.matcher(name).matches()) {
            throw refused("its claim " + settings.nameClaim() + " is not a name of 1 to 128 characters");
        }
        List<String> values = ClaimRoles.values(token.getClaims(), settings.rolesClaim());
        List<Role> granted = roles.of(values);
        if (granted.isEmpty() || granted.size() > UsersLimits.MAX_ROLES) {
            throw new RefusalException(Refusal.forbidden("The token of " + name + " is valid, but its claim "
                    + settings.rolesClaim() + " with the values " + values + " gives " + granted.size()
                    + " roles, expected 1 to " + UsersLimits.MAX_ROLES
                    + ". Ask an administrator to name one of the values in MILLRACE_OIDC_ROLES."));
        }
        return Subject.user(name, Subject.Domain.EXTERNAL, granted);
    }

    @Override
    public void close() {
        threads.dispose();
    }
}
