package io.cle.spring.onleader.internal.bean;

import io.cle.spring.onleader.OnFailure;
import io.cle.spring.onleader.OnLeader;
import io.cle.spring.onleader.OnLeaderUsageException;
import org.springframework.util.StringValueResolver;

/**
 * What an {@link OnLeader} annotation says, with its placeholders and expressions resolved.
 *
 * @param lease the lease; empty if none is named
 * @param controller the controller; empty if none is named
 * @param onFailure what is done when the work fails
 * @param interrupt whether the work's thread is interrupted when the term ends
 */
public record OnLeaderTarget(String lease, String controller, OnFailure onFailure, boolean interrupt) {

    /** Of a bean without an annotation of its own. */
    public static final OnLeaderTarget DEFAULT = new OnLeaderTarget("", "", OnFailure.RETRY, true);

    /**
     * Reads an annotation.
     *
     * @param place where it is, for messages
     * @param values resolves placeholders and expressions
     * @throws OnLeaderUsageException if it names a lease and a controller, or what it names can't be resolved
     */
    static OnLeaderTarget of(OnLeader annotation, String place, StringValueResolver values) {
        String lease = resolve("lease", annotation.lease(), place, values);
        String controller = resolve("controller", annotation.controller(), place, values);
        if (!lease.isEmpty() && !controller.isEmpty()) {
            throw new OnLeaderUsageException(
                    place,
                    "names both the lease '" + lease + "' and the controller '" + controller + "'",
                    "Keep one of them; a controller's lease follows from its assignment.");
        }
        return new OnLeaderTarget(lease, controller, annotation.onFailure(), annotation.interrupt());
    }

    private static String resolve(String attribute, String value, String place, StringValueResolver values) {
        if (value.isEmpty()) {
            return value;
        }
        String resolved;
        try {
            resolved = values.resolveStringValue(value);
        } catch (RuntimeException e) {
            throw new OnLeaderUsageException(
                    place,
                    "names the " + attribute + " '" + value + "', which can't be resolved: " + e.getMessage(),
                    "Define the property, or give the placeholder a default: ${name:default}.");
        }
        if (resolved == null || resolved.isBlank()) {
            throw new OnLeaderUsageException(
                    place,
                    "names the " + attribute + " '" + value + "', which resolves to nothing",
                    "Let it resolve to a name, or remove the attribute to mean the default lease.");
        }
        return resolved;
    }

    /** This, with what it leaves at its default taken from the annotation of the class. */
    OnLeaderTarget or(OnLeaderTarget ofClass) {
        boolean named = !lease.isEmpty() || !controller.isEmpty();
        return new OnLeaderTarget(
                named ? lease : ofClass.lease,
                named ? controller : ofClass.controller,
                onFailure == DEFAULT.onFailure ? ofClass.onFailure : onFailure,
                interrupt && ofClass.interrupt);
    }
}
