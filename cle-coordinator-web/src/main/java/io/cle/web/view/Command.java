package io.cle.web.view;

import io.cle.model.internal.Names;

/**
 * A line for an administrator to copy into a shell.
 *
 * @param purpose what it does, for people
 * @param line the line
 */
public record Command(String purpose, String line) {

    /** Whether a name can be used in a command line as it is: those of Kubernetes can, and everything else could mean something to a shell. */
    static boolean harmless(String name) {
        return Names.problemOfName(name).isEmpty();
    }
}
