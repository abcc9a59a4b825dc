package io.cle.web.view;

import java.util.regex.Pattern;

/**
 * A line for an administrator to copy into a shell.
 *
 * @param purpose what it does, for people
 * @param line the line
 */
public record Command(String purpose, String line) {

    /** RFC 1123 names, which Kubernetes' own are. Everything else could mean something to a shell. */
    private static final Pattern HARMLESS = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    /** Whether a name can be used in a command line as it is. */
    static boolean harmless(String name) {
        return HARMLESS.matcher(name).matches();
    }
}
