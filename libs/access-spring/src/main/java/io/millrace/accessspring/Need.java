package io.millrace.accessspring;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Subject;
import io.millrace.access.Target;
import java.util.Map;

/** What a route needs from the subject that asks. */
public sealed interface Need {

    /** The resource of a route, made from the variables of its path, or from its query. */
    enum Place {
        /** The cluster. */
        CLUSTER,
        /** {@code {bucket}}. */
        BUCKET,
        /** {@code {bucket}}, {@code {scope}}. */
        SCOPE,
        /** {@code {bucket}}, {@code {scope}} and {@code {collection}}; missing ones are the default ones. */
        KEYSPACE,
        /** {@code {topic}}. */
        TOPIC,
        /** The function scope that {@code bucket} and {@code scope} of the query name; without them, that of administrators. */
        FUNCTION;

        Resource resource(Map<String, String> variables) {
            String bucket = variables.getOrDefault("bucket", "");
            String scope = variables.getOrDefault("scope", Resource.DEFAULT);
            return switch (this) {
                case CLUSTER -> Resource.cluster();
                case FUNCTION ->
                    Resource.functionScope(
                            variables.getOrDefault("bucket", Target.ANY), variables.getOrDefault("scope", Target.ANY));
                case TOPIC -> Resource.topic(variables.getOrDefault("topic", ""));
                case BUCKET -> Resource.bucket(bucket);
                case SCOPE -> Resource.scope(bucket, scope);
                case KEYSPACE ->
                    Resource.keyspace(bucket, scope, variables.getOrDefault("collection", Resource.DEFAULT));
            };
        }
    }

    /** Open to everyone, without credentials: the pages, the login, whether the service is alive. */
    record Nothing() implements Need {}

    /** The handler decides, or the service behind it, to which who asks is passed on. */
    record Delegated() implements Need {}

    /** Any known subject. What the answer contains, or what else is needed, is decided by the handler. */
    record Known() implements Need {}

    /** A permission on the resource of the path. */
    record Granted(Permission permission, Place place) implements Need {}

    /** Returns whether the subject may pass. */
    default boolean allows(Subject subject, Map<String, String> variables) {
        return switch (this) {
            case Nothing() -> true;
            case Delegated() -> true;
            case Known() -> subject.known();
            case Granted(Permission permission, Place place) ->
                Access.allowed(subject, permission, place.resource(variables));
        };
    }
}
