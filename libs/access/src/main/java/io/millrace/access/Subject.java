package io.millrace.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The user, service or program behind a request, with its roles as they were when it was authenticated. Immutable; what each
 * permission is granted on is computed once, so that a check reads a short list.
 */
public final class Subject {

    /** Where a subject comes from. */
    public enum Domain {
        /** A user of Millrace, with a password or an API key. */
        LOCAL,
        /** A user of an identity provider. */
        EXTERNAL,
        /** A service of this cluster. */
        SERVICE,
        /** A request without credentials. */
        ANONYMOUS
    }

    private static final Subject ANONYMOUS = new Subject("anonymous", Domain.ANONYMOUS, List.of());
    private static final Subject OPEN = new Subject("anonymous", Domain.ANONYMOUS, List.of(Role.ADMIN));

    private final String name;
    private final Domain domain;
    private final List<Role> roles;
    private final Map<Permission, List<Target>> targets = new EnumMap<>(Permission.class);

    private Subject(String name, Domain domain, Collection<Role> roles) {
        this.name = name;
        this.domain = domain;
        this.roles = List.copyOf(roles);
        for (Permission permission : Permission.values()) {
            List<Target> granted = new ArrayList<>();
            for (Role role : this.roles) {
                if (role.name().grants(permission)) {
                    granted.add(role.target());
                }
            }
            boolean everything = granted.contains(Target.EVERYTHING);
            targets.put(
                    permission,
                    everything
                            ? List.of(Target.EVERYTHING)
                            : granted.stream().distinct().toList());
        }
    }

    /** Returns a user. */
    public static Subject user(String name, Domain domain, Collection<Role> roles) {
        return new Subject(name, domain, roles);
    }

    /** Returns a service of this cluster, which may do everything. */
    public static Subject service(String name) {
        return new Subject(name, Domain.SERVICE, List.of());
    }

    /** Returns the subject of a request without credentials, which may do nothing that is declared. */
    public static Subject anonymous() {
        return ANONYMOUS;
    }

    /** Returns the subject of every request while the cluster is open: an administrator without a name. */
    public static Subject open() {
        return OPEN;
    }

    /** Returns the name, unique within the domain. */
    public String name() {
        return name;
    }

    /** Returns where the subject comes from. */
    public Domain domain() {
        return domain;
    }

    /** Returns the roles; a service has none and needs none. */
    public List<Role> roles() {
        return roles;
    }

    /** Returns whether the subject was authenticated, or needs not be because the cluster is open. */
    public boolean known() {
        return domain != Domain.ANONYMOUS || !roles.isEmpty();
    }

    List<Target> targets(Permission permission) {
        return targets.getOrDefault(permission, List.of());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Subject that
                && that.name.equals(name)
                && that.domain == domain
                && that.roles.equals(roles);
    }

    @Override
    public int hashCode() {
        return name.hashCode() * 31 + domain.hashCode();
    }

    @Override
    public String toString() {
        return domain.name().toLowerCase(Locale.ROOT) + ":" + name;
    }
}
