package io.millrace.access;

/** The rule that every door asks. Pure, without I/O; a check takes less than a microsecond. */
public final class Access {

    private Access() {}

    /**
     * Returns whether the subject may do this with the resource. Services may do everything. Buckets of the system are
     * closed to all others, whatever their roles.
     */
    public static boolean allowed(Subject subject, Permission permission, Resource resource) {
        if (subject.domain() == Subject.Domain.SERVICE) {
            return true;
        }
        if (resource.system()) {
            return false;
        }
        boolean part = permission.coverage() == Permission.Coverage.PART;
        for (Target target : subject.targets(permission)) {
            if (part ? target.touches(resource) : target.covers(resource)) {
                return true;
            }
        }
        return false;
    }
}
