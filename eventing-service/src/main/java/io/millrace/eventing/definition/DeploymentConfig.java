package io.millrace.eventing.definition;

import io.millrace.documents.Keyspace;
import java.util.List;

/**
 * What a function listens to, where its progress is kept and what its code reaches by which name: {@code depcfg}.
 *
 * @param source scope and collection may be {@code *}
 */
public record DeploymentConfig(
        Keyspace source,
        Keyspace metadata,
        List<BucketBinding> buckets,
        List<CurlBinding> curl,
        List<ConstantBinding> constants) {

    public static final String WILDCARD = "*";

    /** How a secret is shown; posted back, it stands for the secret that is stored. */
    static final String MASK = "*****";

    public DeploymentConfig {
        buckets = List.copyOf(buckets);
        curl = List.copyOf(curl);
        constants = List.copyOf(constants);
    }

    /** @param target scope and collection may be {@code *} */
    public record BucketBinding(String alias, Keyspace target, boolean writable) {}

    public record CurlBinding(
            String alias,
            String hostname,
            String authType,
            String username,
            String password,
            String bearerKey,
            boolean allowCookies,
            boolean validateSslCertificate) {

        /** Returns this binding with the stored secrets where it has masks and is otherwise about the same account. */
        public CurlBinding withSecretsOf(CurlBinding stored) {
            boolean same = alias.equals(stored.alias)
                    && hostname.equals(stored.hostname)
                    && authType.equals(stored.authType)
                    && username.equals(stored.username);
            if (!same) {
                return this;
            }
            return new CurlBinding(
                    alias,
                    hostname,
                    authType,
                    username,
                    password.equals(MASK) ? stored.password : password,
                    bearerKey.equals(MASK) ? stored.bearerKey : bearerKey,
                    allowCookies,
                    validateSslCertificate);
        }
    }

    public record ConstantBinding(String alias, String literal) {}

    /** Returns this configuration with masked secrets replaced by those of the one that it takes the place of. */
    public DeploymentConfig withSecretsOf(DeploymentConfig stored) {
        List<CurlBinding> unmasked = curl.stream()
                .map(binding ->
                        stored.curl.stream().reduce(binding, CurlBinding::withSecretsOf, (first, second) -> second))
                .toList();
        return new DeploymentConfig(source, metadata, buckets, unmasked, constants);
    }

    /** Returns true when the keyspace stands for more than one collection. */
    static boolean wildcard(Keyspace keyspace) {
        return keyspace.scope().equals(WILDCARD) || keyspace.collection().equals(WILDCARD);
    }

    /** Returns true when a write to {@code target} arrives at one who listens to {@code source}. */
    public static boolean covers(Keyspace source, Keyspace target) {
        return source.bucket().equals(target.bucket())
                && (source.scope().equals(WILDCARD) || source.scope().equals(target.scope()))
                && (source.collection().equals(WILDCARD) || source.collection().equals(target.collection()));
    }

    /** Returns true when a write through one of the bindings that name a single collection arrives at {@code source}. */
    public boolean writesTo(Keyspace source) {
        return buckets.stream()
                .anyMatch(binding ->
                        binding.writable() && !wildcard(binding.target()) && covers(source, binding.target()));
    }
}
