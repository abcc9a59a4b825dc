package io.cle.lock.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

/** Creates a unique identity: the host name (in a pod, the pod's name) and five random characters. */
public final class ProcessIdentity {

    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int RANDOM_CHARACTERS = 5;

    /** The maximum length of a label of a host name. */
    private static final int LONGEST_HOST = 63;

    private ProcessIdentity() {}

    /**
     * Creates an identity.
     *
     * @param host the host's name; the operating system's if {@code null} or blank
     */
    public static String create(@Nullable String host, RandomGenerator random) {
        return of(host == null || host.isBlank() ? hostName() : host, random);
    }

    /** Returns an identity that begins with the characters of the host's name that are valid in a DNS name. */
    static String of(String host, RandomGenerator random) {
        String valid = host.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String cut = valid.substring(0, Math.min(valid.length(), LONGEST_HOST)).replaceAll("^-+|-+$", "");
        StringBuilder identity = new StringBuilder(cut.isEmpty() ? "process" : cut).append('-');
        for (int i = 0; i < RANDOM_CHARACTERS; i++) {
            identity.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return identity.toString();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "";
        }
    }
}
