package io.millrace.launcher.doctor;

/**
 * What a check found.
 *
 * @param check what was checked, in one or two words
 * @param detail what was found
 * @param remedy what to do about it; empty if nothing is wrong
 */
public record Finding(String check, Grade grade, String detail, String remedy) {

    /** How bad it is. */
    public enum Grade {
        OK,
        WARNING,
        FAILURE
    }

    static Finding ok(String check, String detail) {
        return new Finding(check, Grade.OK, detail, "");
    }

    static Finding warning(String check, String detail, String remedy) {
        return new Finding(check, Grade.WARNING, detail, remedy);
    }

    static Finding failure(String check, String detail, String remedy) {
        return new Finding(check, Grade.FAILURE, detail, remedy);
    }
}
