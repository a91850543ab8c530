package io.millrace.eventing.definition;

import io.millrace.documents.Keyspace;
import java.util.List;

/**
 * The source of a function, the keyspace of its metadata and the bindings of its code: {@code depcfg}.
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

    /** Shown in place of a secret; a client that sends it back keeps the stored secret. */
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

        /** Returns this binding with its masks replaced by the stored secrets, if both name the same account. */
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

    /** Returns this configuration with masks replaced by the secrets of the stored configuration. */
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

    /** Returns true when a write to {@code target} is a change of {@code source}. */
    public static boolean covers(Keyspace source, Keyspace target) {
        return source.bucket().equals(target.bucket())
                && (source.scope().equals(WILDCARD) || source.scope().equals(target.scope()))
                && (source.collection().equals(WILDCARD) || source.collection().equals(target.collection()));
    }

    /** Returns true when a write through a binding to a single collection is a change of {@code source}. */
    public boolean writesTo(Keyspace source) {
        return buckets.stream()
                .anyMatch(binding ->
                        binding.writable() && !wildcard(binding.target()) && covers(source, binding.target()));
    }
}
