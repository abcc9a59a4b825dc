package io.cle.kubernetes.internal.access;

import java.util.List;
import java.util.Optional;

/**
 * The result of checking the rights of this process.
 *
 * @param missing the rights that are not granted
 * @param unchecked why some rights couldn't be checked; empty if all were
 */
public record AccessReport(List<AccessRight> missing, Optional<String> unchecked) {

    /** Makes the list immutable. */
    public AccessReport {
        missing = List.copyOf(missing);
    }

    /** Reports that nothing could be checked, and why. */
    public static AccessReport unknown(String reason) {
        return new AccessReport(List.of(), Optional.of("the rights could not be checked: " + reason));
    }

    /** Describes the missing rights and a role that would grant them; empty if none is known to be missing. */
    public Optional<String> problem() {
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder("Rights are missing:\n");
        missing.forEach(right -> text.append("  - ").append(right.describe()).append('\n'));
        text.append("Grant them to the service account, for example by ")
                .append(missing.stream().anyMatch(right -> right.namespace() == null) ? "a ClusterRole" : "a Role")
                .append(" with these rules, and a binding:\n")
                .append(rules());
        return Optional.of(text.toString());
    }

    /** Returns the rules of a role that would grant the missing rights, as YAML. */
    public String rules() {
        StringBuilder yaml = new StringBuilder("rules:\n");
        missing.stream()
                .map(right -> "  - apiGroups: [\"" + right.resource().group() + "\"]\n    resources: ["
                        + right.resource().plural() + "]\n"
                        + (right.name() == null ? "" : "    resourceNames: [" + right.name() + "]\n")
                        + "    verbs: [" + String.join(", ", right.verbs()) + "]\n")
                .distinct()
                .forEach(yaml::append);
        return yaml.toString();
    }
}
