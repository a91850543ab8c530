package io.millrace.launcher;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Says in words why a file or directory cannot be made or written: the message of Java is often its name alone. */
public final class FileFailure {

    private FileFailure() {}

    public static String of(IOException failure) {
        return switch (failure) {
            case AccessDeniedException denied -> "this user may not write " + denied.getFile();
            case FileAlreadyExistsException file -> file.getFile() + " is not a directory";
            case NoSuchFileException missing -> missing.getFile() + " cannot be created";
            default -> String.valueOf(failure.getMessage());
        };
    }
}
